// Whether and how to come back after a connection was lost or refused.

import { Code } from './codes.gen.ts';
import { Refused } from './refused.ts';

// Each pause is drawn between half of it and all of it, so that a thousand clients of a restarted server do not come
// in one wave. Milliseconds.
const FIRST_MS = 100;
const LONGEST_MS = 5_000;
const LATER_MS = 2_000; // at least, when the venue says "later"
const LONGEST_LATER_MS = 30_000;

/** Growing, random pauses between attempts. */
export class Backoff {
  #pauseMS = FIRST_MS;
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** The pause before the next attempt, after one that failed for a cause; milliseconds. */
  next(cause: unknown): number {
    const later = cause instanceof Refused && cause.retry === 'later';
    if (later) this.#pauseMS = Math.max(this.#pauseMS, LATER_MS);
    const pause = this.#pauseMS / 2 + (this.#random() * this.#pauseMS) / 2;
    this.#pauseMS = Math.min(2 * this.#pauseMS, later ? LONGEST_LATER_MS : LONGEST_MS);
    return pause;
  }
}

/** What to do next: try again with the ticket in use, get a token to join anew with, or end. */
export type Course = 'again' | 'new_token' | 'end';

/** Decides by the cause of a loss or of a failed attempt, which showed a resume token or a join token. */
export function course(cause: unknown, resuming: boolean): Course {
  if (!(cause instanceof Refused)) return 'again'; // a path failed, nobody refused
  if (cause.name === 'session_lost') return 'new_token';
  switch (cause.retry) {
    case 'resume':
    case 'later':
    case 'yes':
      return 'again';
    case 'new_token':
      return 'new_token';
    case 'no':
      // A resume token is refused as used when the welcome that rotated it was lost on its way.
      return resuming && cause.code === Code.TokenInvalid ? 'new_token' : 'end';
  }
}

/**
 * Reads from a join token's claims whether it may be used again and for any user, as development tokens may. Nothing is
 * verified: the server does that.
 */
export function reusable(token: string): boolean {
  const claims = token.split('.')[1];
  if (claims === undefined) return false;
  try {
    const json: unknown = JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/')));
    return typeof json === 'object' && json !== null && (json as { many?: unknown }).many === true;
  } catch {
    return false;
  }
}
