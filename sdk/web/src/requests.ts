// The ordered book of a session's key inputs: numbered, kept until they are decided and durable, sent again when the
// server does not have them.

import { codeMeaning, codeName } from './codes.ts';
import { Refused } from './refused.ts';
import type { Outcome } from './types.ts';

/** How many key inputs may wait for their decision. */
export const MAX_PENDING = 64;
/** How many decided ones are followed until they are durable; the oldest beyond it is let go. */
export const MAX_UNDURABLE = 1024;

/** How the region decided. */
export interface Decision {
  readonly ok: boolean;
  readonly code?: number;
  readonly message?: string;
  /** Null when it is not known. */
  readonly tick: number | null;
}

/** Key inputs, as the event lane names them. */
export type InputType = 'grab' | 'release' | 'use' | 'msg';

/** A key input on its way. */
export class Request {
  readonly n: number;
  readonly type: InputType;
  /** The message as it is sent, again and again if need be. */
  readonly text: string;
  /** Told once, by the region's first decision. */
  readonly outcome: Promise<Outcome>;
  /** Called with the first decision, or null when there will be none. */
  onDecision: ((d: Decision | null) => void) | null = null;
  /** The region has it: it need not be sent again unless the region loses it. */
  taken = false;
  /** Durable once everything up to this tick is. */
  bound = 0;
  decided: Decision | null = null;
  ended = false;
  /** A crash of the server undid the first decision, and the second was a denial. */
  undone = false;
  readonly #durable: Promise<void>;
  #settle!: (o: Outcome) => void;
  #stored!: () => void;
  #notStored!: (e: Error) => void;

  constructor(n: number, type: InputType, text: string) {
    this.n = n;
    this.type = type;
    this.text = text;
    this.outcome = new Promise((resolve) => (this.#settle = resolve));
    this.#durable = new Promise((resolve, reject) => ([this.#stored, this.#notStored] = [resolve, reject]));
    // Nobody has to wait for it: a rejection without a listener is no fault of the page.
    this.#durable.catch(() => undefined);
  }

  /** Whether the decision is out. */
  get settled(): boolean {
    return this.decided !== null || this.ended;
  }

  /** Notes a decision. A second one, after a crash of the server, only counts when it takes back the first. */
  decide(d: Decision): void {
    if (this.settled) {
      this.undone ||= this.decided?.ok === true && !d.ok;
      return;
    }
    this.decided = d;
    this.onDecision?.(d);
    this.#settle({
      ok: d.ok,
      ...(d.code === undefined ? {} : { code: d.code, name: codeName(d.code), message: d.message || codeMeaning(d.code) }),
      ...(d.tick === null ? {} : { tick: d.tick }),
      durable: this.#durable,
    });
  }

  /** Ends it without a decision. */
  end(why: Refused): void {
    if (this.settled) return;
    this.ended = true;
    this.onDecision?.(null);
    this.#settle(undecided(why));
  }

  /** Settles its durability. */
  store(why: Error | null): void {
    if (why) this.#notStored(why);
    else this.#stored();
  }
}

/** The outcome of an input that there will be no decision on. */
export function undecided(why: Refused): Outcome {
  const durable = Promise.reject(why);
  durable.catch(() => undefined);
  return { ok: false, code: why.code, name: why.name, message: why.message, durable };
}

/** The book. */
export class Requests {
  #next: number;
  #kept: Request[] = []; // by number, without gaps
  #durableTick = 0;

  /** Begins with the number of the next input. */
  constructor(next = 1) {
    this.#next = Math.max(1, next);
  }

  /** Number of the next input. */
  get next(): number {
    return this.#next;
  }

  /** How many wait for their decision. */
  get pending(): number {
    return this.#kept.filter((r) => !r.settled).length;
  }

  /** Books an input whose text `write` makes of its number. Throws a Refused when too many wait for their decision. */
  add(type: InputType, write: (n: number) => string): Request {
    if (this.pending >= MAX_PENDING) {
      throw Refused.local('busy', `${MAX_PENDING} inputs wait for the venue's decision already: wait for some of them before sending more.`, 'yes');
    }
    const r = new Request(this.#next, type, write(this.#next));
    this.#next++;
    this.#kept.push(r);
    this.#trim();
    return r;
  }

  #find(n: number): Request | undefined {
    const first = this.#kept[0];
    return first && this.#kept[n - first.n];
  }

  /** Notes that the region has taken an input, or refused it for good. A grab is decided by its event, not by this. */
  ack(n: number, d: Decision): void {
    const r = this.#find(n);
    if (!r) return;
    r.taken = true;
    r.bound = Math.max(r.bound, d.tick ?? 0);
    if (!d.ok || r.type !== 'grab') r.decide(d);
    this.#trim();
  }

  /** Notes the event that says how an input was decided. */
  answered(n: number, d: Decision): void {
    const r = this.#find(n);
    if (!r) return;
    r.taken = true;
    r.bound = Math.max(r.bound, d.tick ?? 0);
    r.decide(d);
    this.#trim();
  }

  /** Notes that everything up to a tick is durable. */
  stored(tick: number): void {
    this.#durableTick = Math.max(this.#durableTick, tick);
    this.#trim();
  }

  /**
   * Reconciles with the cursor that the region has of a resumed session, at a tick: what is above it, or had no answer, is
   * to be sent again. `full` says that events may have been missed. False when the region wants numbers that are no longer
   * kept: the session cannot go on.
   */
  resumed(cursor: number, tick: number, full: boolean): boolean {
    if (cursor + 1 < (this.#kept[0]?.n ?? this.#next)) return false;
    for (const r of this.#kept) {
      if (r.n > cursor) {
        // A crash may have undone a decision: when it is made again, it counts from then.
        r.taken = false;
        r.bound = 0;
      } else if (!r.settled && full) {
        r.taken = true;
        r.bound = tick;
        r.end(Refused.local('outcome_unknown', 'It was decided while the connection was away: look at the entities.'));
      } else if (!r.settled) {
        // The answer was lost. A denial is among the events that come again; asking again gets the acknowledgement again.
        r.taken = false;
      } else {
        r.taken = true;
        if (r.bound === 0) r.bound = tick;
      }
    }
    this.#next = Math.max(this.#next, cursor + 1); // another process may have sent more under this session
    this.#trim();
    return true;
  }

  /** What the region does not have yet, in order. */
  untaken(): Request[] {
    return this.#kept.filter((r) => !r.taken);
  }

  /** Ends everything and starts a new session's numbers. */
  lost(why: Refused): void {
    for (const r of this.#kept) {
      r.end(why);
      r.store(why);
    }
    this.#kept = [];
    this.#next = 1;
    this.#durableTick = 0;
  }

  // Lets go of what is decided and durable, from the oldest on, and of what exceeds the bound.
  #trim(): void {
    for (let r = this.#kept[0]; r && r.settled && r.taken; r = this.#kept[0]) {
      if (r.bound > this.#durableTick || this.#durableTick === 0) {
        if (this.#kept.length <= MAX_UNDURABLE) return;
        r.store(new Error('more than 1,024 inputs wait to become durable: this one is no longer followed'));
      } else {
        r.store(r.undone ? new Error('a crash of the server undid it, and it was then denied') : null);
      }
      this.#kept.shift();
    }
  }
}
