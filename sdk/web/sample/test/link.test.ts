import { describe, expect, it } from 'vitest';
import { choices, readToken, tokenIn, tokenInText } from '../src/link.ts';

const part = (o: unknown): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(o)))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const token = (claims: unknown): string => `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`;

describe('a link', () => {
  it('has its token in the fragment', () => {
    expect(tokenIn('#token=a.b.c')).toBe('a.b.c');
    expect(tokenIn('#spawn=stage&token=a.b.c')).toBe('a.b.c');
    expect([tokenIn(''), tokenIn('#token='), tokenIn('#other=1')]).toEqual([undefined, undefined, undefined]);
  });
  it('is taken whole, or its end, or the token alone', () => {
    expect(tokenInText(' http://127.0.0.1:7878/#token=a.b.c ')).toBe('a.b.c');
    expect(tokenInText('#token=a.b.c')).toBe('a.b.c');
    expect(tokenInText('a.b-1.c_2')).toBe('a.b-1.c_2');
    expect([tokenInText('http://127.0.0.1:7878/'), tokenInText('hello'), tokenInText('')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('a token', () => {
  it('says who comes and whether they may choose', () => {
    expect(readToken(token({ sub: 'u', name: 'Zoë', exp: 17 }))).toMatchObject({ name: 'Zoë', open: false, expires: 17 });
    expect(readToken(token({ sub: 'visitor', many: true }))).toMatchObject({ open: true });
  });
  it('that cannot be read says nothing', () => {
    for (const t of ['', 'abc', 'a.b.c', `a.${part(null)}.c`, `a.${part([1])}.c`, token({ name: 7, many: 'yes', exp: 'x' })]) {
      expect(readToken(t)).toEqual({ token: t, open: false });
    }
  });
});

describe('a choice in the query', () => {
  it('is a spawn point or a lane that there is', () => {
    expect(choices('?spawn=workshop&lane=ws')).toEqual({ spawn: 'workshop', lane: 'ws' });
    expect(choices('?spawn=&lane=pigeon')).toEqual({});
    expect(choices('')).toEqual({});
  });
});
