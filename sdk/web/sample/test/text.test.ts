import { describe, expect, it } from 'vitest';
import { bytes, cut, fit, plain } from '../src/text.ts';

describe('text of others', () => {
  it('keeps what people write, markup too: it is only text', () => {
    expect(plain('<b>Zoë</b> & co')).toBe('<b>Zoë</b> & co');
    expect(plain('李小龍')).toBe('李小龍');
  });
  it('loses what does not print or turns the line around', () => {
    expect(plain('a\u0000b\u202Ecod.exe\n\t c\u2028d')).toBe('a b cod.exe c d');
  });
  it('keeps emoji that are joined', () => {
    expect(plain('👩‍🚀 Ann')).toBe('👩‍🚀 Ann');
  });
});

describe('cutting', () => {
  it('counts letters as people do', () => {
    expect(cut('e\u0301e\u0301e\u0301', 3)).toBe('e\u0301e\u0301e\u0301');
    expect(cut('👩‍🚀👩‍🚀👩‍🚀', 2)).toBe('👩‍🚀…');
    expect(cut('A long name', 7)).toBe('A long…');
    expect(cut('short', 5)).toBe('short');
  });
  it('fits a width', () => {
    const width = (t: string): number => [...t].length * 10;
    expect(fit('Stage', 50, width)).toBe('Stage');
    expect(fit('Main stage', 60, width)).toBe('Main…');
    expect(fit('Main', 5, width)).toBe('…');
  });
});

describe('bytes', () => {
  it('are those of UTF-8', () => {
    expect([bytes('Ann'), bytes('Zoë'), bytes('李')]).toEqual([3, 4, 3]);
  });
});
