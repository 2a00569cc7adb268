import { codes } from './codes.gen.ts';

/** What a client may do after a code: nothing, the same again, resume, get a new token first, or come back later. */
export type Retry = 'no' | 'yes' | 'resume' | 'new_token' | 'later';

/** One entry of the list of codes. */
export interface CodeEntry {
  readonly code: number;
  /** Stable name. */
  readonly name: string;
  /** One sentence for people. */
  readonly meaning: string;
  readonly retry: Retry;
  /** What the client should do, one sentence. */
  readonly then: string;
}

const byCode: ReadonlyMap<number, CodeEntry> = new Map(codes.map((c) => [c.code, c]));

/** Stable name of a code; `code_N` for one that this version does not know. */
export function codeName(code: number): string {
  return byCode.get(code)?.name ?? `code_${code}`;
}

/** One sentence for people; '' for an unknown code. */
export function codeMeaning(code: number): string {
  return byCode.get(code)?.meaning ?? '';
}

/** What to do about a code, one sentence; '' for an unknown code. */
export function codeThen(code: number): string {
  return byCode.get(code)?.then ?? '';
}

/** Advice of a code. For one that this version does not know its range decides, so that an old client does right. */
export function retryOf(code: number): Retry {
  const known = byCode.get(code);
  if (known) return known.retry;
  if (code >= 3000 && code < 3500) return 'resume';
  if (code >= 3500 && code < 4000) return 'later';
  return 'no';
}

/** Whether a code ends the connection. */
export function isClose(code: number): boolean {
  return code >= 3000;
}
