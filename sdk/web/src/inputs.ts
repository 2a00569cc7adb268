// The session's side of the event lane: key inputs up, decisions and key events down, each once and in order.

import { retryOf } from './codes.ts';
import { number, text } from './events.ts';
import { Refused } from './refused.ts';
import { Requests, type Decision, type Request } from './requests.ts';
import type { Session, VenueEvent, Welcome } from './types.ts';
import { Code } from './codes.gen.ts';

// When to send what was not taken again, microseconds.
const AGAIN_US = 50_000;
const RATE_LIMITED_US = 1_000_000;

/** What the inputs use of the client. */
export interface Outside {
  localUS(): number;
  send(message: string): void;
  /** A key event, an error or a resync for the page. */
  event(m: VenueEvent): void;
}

/** See the top of the file. */
export class Inputs {
  readonly #out: Outside;
  readonly #requests: Requests;
  readonly #last: Map<string, number>;
  #againAt: number | null = null; // local time at which to send again
  #ended: Refused | null = null;

  constructor(session: Session | undefined, out: Outside) {
    this.#out = out;
    this.#requests = new Requests(session?.next ?? 1);
    this.#last = new Map(Object.entries(session?.last ?? {}));
  }

  /** Newest event number of each region. */
  get last(): ReadonlyMap<string, number> {
    return this.#last;
  }

  /** Number of the next input. */
  get next(): number {
    return this.#requests.next;
  }

  /** Numbers and sends an input; without a connection it waits for the next one. Throws a Refused when the client has ended or too many wait. */
  add(type: 'grab' | 'release' | 'use' | 'msg', write: (n: number) => string): Request {
    if (this.#ended) throw this.#ended;
    const r = this.#requests.add(type, write);
    if (this.#againAt === null) this.#out.send(r.text); // otherwise it would overtake those before it
    return r;
  }

  /** Takes a welcome. False when the session cannot go on. */
  greet(w: Welcome, cursor: number): boolean {
    if (w.resumed) {
      if (w.full) this.#last.clear();
      return this.#requests.resumed(cursor, w.tick, w.full);
    }
    this.#last.clear();
    this.#requests.lost(Refused.local('session_lost', 'The session was lost, and with it what was asked: ask again.', 'yes'));
    return true;
  }

  /** A connection is up: what its region lacks is sent. */
  connected(): void {
    this.#againAt = null;
    for (const r of this.#requests.untaken()) this.#out.send(r.text);
  }

  /** Sends again what was not taken, when that is due: all of it, since after one refused input every later one is out of order. */
  repeat(): void {
    if (this.#againAt === null || this.#out.localUS() < this.#againAt) return;
    this.connected();
  }

  /** Takes a message of the event lane. */
  take(m: VenueEvent): void {
    const seq = number(m, 'seq');
    const code = number(m, 'code');
    switch (m.t) {
      case 'ack':
        if (m['ok'] !== true && retryOf(code) === 'yes') this.#planAgain(code);
        else this.#requests.ack(seq, decision(m, m['ok'] === true));
        return;
      case 'durable':
        this.#requests.stored(number(m, 'tick'));
        return;
      case 'resync':
        this.#last.delete(text(m, 'r'));
        this.#out.event(m);
        return;
      case 'error':
        if (seq !== 0 && retryOf(code) === 'yes') {
          this.#planAgain(code);
          return;
        }
        break;
    }
    const n = number(m, 'n');
    if (n !== 0) {
      const region = text(m, 'r');
      if (n <= (this.#last.get(region) ?? 0)) return; // told before
      this.#last.set(region, n);
    }
    if (seq !== 0) this.#requests.answered(seq, decision(m, m.t !== 'denied' && m.t !== 'error'));
    this.#out.event(m);
  }

  #planAgain(code: number): void {
    const at = this.#out.localUS() + AGAIN_US + (code === Code.RateLimited ? RATE_LIMITED_US : 0);
    this.#againAt = Math.max(at, this.#againAt ?? 0);
  }

  /** Ends everything that is open. */
  end(why: Refused): void {
    this.#ended = why;
    this.#requests.lost(why);
  }
}

function decision(m: VenueEvent, ok: boolean): Decision {
  const tick = number(m, 'tick') || null;
  return ok ? { ok, tick } : { ok, tick, code: number(m, 'code'), message: text(m, 'msg') };
}
