import { describe, expect, it } from 'vitest';
import { codes } from '../../src/codes.gen.ts';
import { denial, explain, explainFault, isUnreachable, noGraphics, noLink, pause } from '../src/explain.ts';

const closing = codes.filter((c) => c.code >= 3000 && c.name !== 'left');

describe('what went wrong', () => {
  it.each(closing.map((c) => c.name))('%s says what it is and what to do, with a way on where there is one', (name) => {
    const n = explain({ name, message: 'the venue’s words' });
    expect(n.text).toBe('the venue’s words');
    expect(n.title).not.toBe('Joining did not work');
    expect(n.todo.length).toBeGreaterThan(20);
    expect(n.again || n.link).toBe(name !== 'kicked');
  });
  it('is said of codes that this page does not know', () => {
    expect(explain({ name: 'code_3777', message: 'new' })).toMatchObject({ text: 'new', again: true });
  });
  it('asks for another link when the link is at fault', () => {
    for (const name of ['token_expired', 'token_invalid', 'wrong_venue']) expect(explain({ name, message: '' }).link).toBe(true);
  });
  it('is said of the browser too', () => {
    expect(noGraphics.todo).toContain('hardware acceleration');
    expect(noLink.link).toBe(true);
    expect(explainFault(new Error('no lanes')).text).toBe('no lanes');
    expect(explainFault('odd').text).toBe('odd');
  });
});

describe('trying again', () => {
  it('waits longer each time, up to 15 s, and not in step with others', () => {
    const most = [1, 2, 3, 9, 50].map((n) => pause(n, () => 1));
    expect(most).toEqual([1000, 1700, 2890, 15_000, 15_000]);
    expect(pause(50, () => 0)).toBe(9000);
  });
  it('is for what cannot be reached', () => {
    expect(isUnreachable(new TypeError('Failed to fetch'))).toBe(true);
    expect(isUnreachable(new DOMException('', 'NetworkError'))).toBe(true);
    expect(isUnreachable(new Error('odd'))).toBe(false);
  });
});

describe('a denial', () => {
  it('is said in words of the hall, or the venue’s own', () => {
    expect(denial({ name: 'denied_held', message: 'x' })).toBe('Somebody else holds it.');
    expect(denial({ name: 'denied_rule', message: 'Only on Sundays.' })).toBe('Only on Sundays.');
    expect(denial({ name: 'denied_fault', message: 'The rule failed.' })).toBe('The rule failed. Tell the venue’s operator.');
    expect(denial({})).toBe('The venue said no.');
  });
});
