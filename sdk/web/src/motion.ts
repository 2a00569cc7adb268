// How one entity moved: its samples by server time, and its place at any time between and a little after them.

import { bodyBetween } from './math.ts';
import { MAX_DELAY_US } from './playout.ts';
import type { Body, Joint } from './types.ts';

/** How far past the newest sample motion is carried on: 100 ms. */
export const MAX_EXTRAPOLATION_US = 100_000;

const KEEP_US = 1_000_000;
// A longer pause than the slowest regular rate (3.75 Hz) was a standstill, or a loss that is no use to interpolate over.
const PAUSE_US = 400_000;
// Nobody moves faster: it was put there.
const JUMP_METRES_PER_S = 40;
const JUMP_LEAST_METRES = 1;

interface Sample {
  readonly timeUS: number;
  readonly body: Body;
  readonly jump: boolean; // not to be interpolated to from the sample before
}

/** See the top of the file. */
export class Motion {
  #samples: Sample[] = []; // ascending by time

  /** Time of the newest sample; -Infinity before the first. */
  get newestUS(): number {
    return this.#samples[this.#samples.length - 1]?.timeUS ?? -Infinity;
  }

  /** The newest sample's body. */
  get newest(): Body | undefined {
    return this.#samples[this.#samples.length - 1]?.body;
  }

  /**
   * Takes a sample. One that comes late is put in its place by time, if it is at most 200 ms behind the newest. `stillUS`
   * is the last time at which the entity is known to have been where the newest sample before says.
   */
  add(timeUS: number, body: Body, jump: boolean, stillUS = -Infinity): void {
    const s = this.#samples;
    const last = s[s.length - 1];
    if (last && timeUS <= last.timeUS) {
      this.#insert({ timeUS, body, jump });
      return;
    }
    if (last && timeUS - last.timeUS > PAUSE_US && stillUS > last.timeUS && stillUS < timeUS) {
      s.push({ timeUS: stillUS, body: last.body, jump: false });
    }
    s.push({ timeUS, body, jump: jump || (last !== undefined && leaps(last, timeUS, body)) });
    while (s.length > 2 && (s[1]?.timeUS ?? Infinity) < timeUS - KEEP_US) s.shift();
  }

  #insert(sample: Sample): void {
    const s = this.#samples;
    if (sample.timeUS < this.newestUS - MAX_DELAY_US) return;
    let i = s.length;
    while (i > 0 && (s[i - 1]?.timeUS ?? 0) > sample.timeUS) i--;
    if (s[i - 1]?.timeUS === sample.timeUS) s[i - 1] = sample;
    else s.splice(i, 0, sample);
  }

  /** Forgets all but what the last sample says. */
  restart(): void {
    this.#samples.splice(0, this.#samples.length - 1);
  }

  /**
   * The body at a time; undefined before the first sample came. `stillUS` is the last time at which the entity is known to
   * be where the newest sample says: a standstill is not extrapolated.
   */
  at(timeUS: number, stillUS = -Infinity): Body | undefined {
    const s = this.#samples;
    const last = s[s.length - 1];
    if (!last) return undefined;
    if (timeUS >= last.timeUS) return this.#after(timeUS, last, stillUS);
    for (let i = s.length - 1; i > 0; i--) {
      const a = s[i - 1];
      const b = s[i];
      if (!a || !b || timeUS < a.timeUS) continue;
      if (b.jump) return a.body;
      return bodyBetween(a.body, b.body, (timeUS - a.timeUS) / (b.timeUS - a.timeUS));
    }
    return s[0]?.body;
  }

  #after(timeUS: number, last: Sample, stillUS: number): Body {
    const before = this.#samples[this.#samples.length - 2];
    if (!before || last.jump || stillUS > last.timeUS) return last.body;
    const span = last.timeUS - before.timeUS;
    if (span <= 0 || span > PAUSE_US) return last.body;
    const ahead = Math.min(timeUS - last.timeUS, MAX_EXTRAPOLATION_US);
    return bodyBetween(before.body, last.body, 1 + ahead / span);
  }
}

function leaps(last: Sample, timeUS: number, body: Body): boolean {
  const d = distance(last.body.head, body.head);
  return d > JUMP_LEAST_METRES && d > (JUMP_METRES_PER_S * (timeUS - last.timeUS)) / 1e6;
}

function distance(a: Joint, b: Joint): number {
  return Math.hypot(a.p[0] - b.p[0], a.p[1] - b.p[1], a.p[2] - b.p[2]);
}
