import { describe, expect, test } from 'vitest';
import { Refused } from '../src/refused.ts';
import { MAX_PENDING, Requests } from '../src/requests.ts';

const text = (n: number) => `input ${n}`;

function sent(q: Requests): number[] {
  return q.untaken().map((r) => r.n);
}

describe('the book of inputs', () => {
  test('numbers from one, settles in any order, is durable by tick', async () => {
    const q = new Requests();
    const a = q.add('use', text);
    const b = q.add('msg', text);
    expect([a.n, b.n, a.text]).toEqual([1, 2, 'input 1']);
    q.ack(1, { ok: true, tick: 10 });
    q.ack(2, { ok: false, tick: 11, code: 110 });
    const first = await a.outcome;
    expect(first).toMatchObject({ ok: true, tick: 10 });
    expect(await b.outcome).toMatchObject({ ok: false, code: 110, name: 'denied_rule', message: 'The rule said no.', tick: 11 });
    expect(sent(q)).toEqual([]);
    q.stored(10);
    await first.durable;
    expect(q.next).toBe(3);
  });

  test('a grab is decided by its event, not by its acknowledgement', async () => {
    const q = new Requests();
    const r = q.add('grab', text);
    q.ack(1, { ok: true, tick: 5 });
    expect(r.settled).toBe(false);
    q.answered(1, { ok: false, tick: 8, code: 111, message: 'held' });
    expect(await r.outcome).toMatchObject({ ok: false, name: 'denied_held', message: 'held', tick: 8 });
  });

  test('a resume sends what is above the cursor, or was never answered, in order', () => {
    const q = new Requests();
    for (let i = 0; i < 4; i++) q.add('use', text);
    q.ack(1, { ok: true, tick: 5 });
    expect(q.resumed(2, 90, false)).toBe(true);
    expect(sent(q)).toEqual([2, 3, 4]);
  });

  test('after events were missed an open input below the cursor has no outcome, but an end', async () => {
    const q = new Requests();
    const r = q.add('grab', text);
    q.ack(1, { ok: true, tick: 5 });
    expect(q.resumed(1, 90, true)).toBe(true);
    expect(await r.outcome).toMatchObject({ ok: false, code: 0, name: 'outcome_unknown' });
    expect(sent(q)).toEqual([]);
  });

  test('a crash that undid a decision has it made again, and durable tells when that is a denial', async () => {
    const q = new Requests();
    const r = q.add('use', text);
    q.ack(1, { ok: true, tick: 50 });
    const outcome = await r.outcome;
    expect(q.resumed(0, 90, true)).toBe(true);
    expect(sent(q)).toEqual([1]);
    q.ack(1, { ok: false, tick: 95, code: 111 });
    q.stored(95);
    await expect(outcome.durable).rejects.toThrow('crash');
  });

  test('a session that wants what is stored and forgotten cannot go on', () => {
    const q = new Requests();
    q.add('use', text);
    q.ack(1, { ok: true, tick: 5 });
    q.stored(9);
    expect(q.resumed(0, 20, false)).toBe(false);
    expect(new Requests(7).resumed(3, 20, false)).toBe(false);
    expect(new Requests(7).resumed(9, 20, false)).toBe(true);
  });

  test('at most 64 wait for their decision', () => {
    const q = new Requests();
    for (let i = 0; i < MAX_PENDING; i++) q.add('use', text);
    expect(() => q.add('use', text)).toThrow('64 inputs');
    q.ack(1, { ok: true, tick: 1 });
    expect(q.add('use', text).n).toBe(65);
  });

  test('the oldest of very many undurable ones is let go, saying so', async () => {
    const q = new Requests();
    const first = q.add('use', text);
    q.ack(1, { ok: true, tick: 1 });
    const { durable } = await first.outcome;
    for (let n = 2; n <= 1100; n++) {
      q.add('use', text);
      q.ack(n, { ok: true, tick: 1 });
    }
    await expect(durable).rejects.toThrow('no longer followed');
  });

  test('a lost session ends everything and begins at one', async () => {
    const q = new Requests();
    const r = q.add('use', text);
    q.lost(Refused.local('session_lost', 'gone'));
    const outcome = await r.outcome;
    expect(outcome).toMatchObject({ ok: false, name: 'session_lost', message: 'gone' });
    await expect(outcome.durable).rejects.toThrow('gone');
    expect(q.add('use', text).n).toBe(1);
  });
});
