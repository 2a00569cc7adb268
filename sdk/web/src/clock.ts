// The server's timeline, learnt from round trips over the pose lane (NTP-style). Times are microseconds.

// A round trip gives bounds of the offset, since neither way takes less than no time: it lies between what it would be if
// the way back, and if the way there, had taken all of it. What all recent round trips allow is where the bounds of all of
// them meet (Marzullo's intersection, as in RFC 5905, 11.2.1); its middle is wrong by at most half the difference between the
// quickest way there and the quickest way back, however late others were. Bounds widen with age, since two clocks part.
const SAMPLES = 16;
const MAX_DRIFT = 300e-6;
// By how much bounds may miss each other, since the server's own timeline wavers.
const SLACK_US = 1000;
// How fast a correction is worked in, so that time never jumps. What lies farther than a step outside the bounds is wrong
// for certain, and corrected at once.
const SLEW = 5000e-6;
const STEP_US = 2000;

/** One round trip: the offset (server minus local) was between lo and hi at a local time. */
interface RoundTrip {
  readonly at: number;
  readonly lo: number;
  readonly hi: number;
}

/**
 * Maps the local monotonic clock to the server's timeline. Its time never runs back: what the round trips allow is slewed,
 * what they exclude is corrected at once, and after such a correction backward it stands still until the timeline has caught up.
 */
export class Clock {
  #trips: RoundTrip[] = []; // oldest first
  #synced = false;
  #target = 0; // best estimate of server minus local
  #applied = 0; // what now() adds
  #slewAt = 0; // local time at which applied was last moved
  #last = -Infinity; // newest time given out

  /** Takes the first, one-way estimate, from a welcome: only until a round trip was measured. */
  greet(serverUS: number, localUS: number): void {
    if (this.#trips.length > 0) return;
    this.#target = this.#applied = serverUS - localUS;
    this.#slewAt = localUS;
    this.#synced = true;
  }

  /**
   * Takes one round trip: sent at t0 and back at t3 by the local clock, received at t1 and answered at t2 by the
   * server's. Impossible ones are ignored.
   */
  sample(t0: number, t1: number, t2: number, t3: number): void {
    const rtt = t3 - t0 - (t2 - t1);
    if (t3 < t0 || t2 < t1 || rtt < 0) return;
    const first = this.#trips.length === 0;
    let [lo, hi] = [t2 - t3, t1 - t0];
    for (let i = this.#trips.length - 1; i >= 0; i--) {
      const s = this.#trips[i]!;
      const wider = (t3 - s.at) * MAX_DRIFT;
      const [l, h] = [Math.max(lo, s.lo - wider), Math.min(hi, s.hi + wider)];
      if (t3 < s.at || l > h + SLACK_US) {
        // One of the clocks has jumped since: what came before tells nothing any more.
        this.#trips.splice(0, i + 1);
        break;
      }
      [lo, hi] = [Math.min(l, h), Math.max(l, h)];
    }
    if (this.#trips.length === SAMPLES) this.#trips.shift();
    this.#trips.push({ at: t3, lo: t2 - t3, hi: t1 - t0 });
    this.#slew(t3);
    this.#target = (lo + hi) / 2;
    if (!this.#synced || first || this.#applied < lo - STEP_US || this.#applied > hi + STEP_US) this.#applied = this.#target;
    this.#synced = true;
  }

  /** Forgets everything: the timeline is another one. */
  reset(): void {
    this.#trips = [];
    this.#synced = false;
    this.#last = -Infinity;
  }

  #slew(localUS: number): void {
    const passed = localUS - this.#slewAt;
    this.#slewAt = localUS; // also when the local clock was put back
    if (passed <= 0) return;
    const most = passed * SLEW;
    this.#applied += Math.max(-most, Math.min(most, this.#target - this.#applied));
  }

  /** The server's time at a local time, never less than was given before; the local time before anything is known. */
  now(localUS: number): number {
    if (!this.#synced) return localUS;
    this.#slew(localUS);
    this.#last = Math.max(this.#last, localUS + this.#applied);
    return this.#last;
  }

  /** The time as now() gives it, but not held by what was given before: to plan by, while now() stands still. */
  current(localUS: number): number {
    if (!this.#synced) return localUS;
    this.#slew(localUS);
    return localUS + this.#applied;
  }

  /** The best estimate of the server's time at a local time, unsmoothed: for measuring. */
  estimate(localUS: number): number {
    return localUS + this.#target;
  }

  /** How long after a local time the server's time will be t, microseconds. */
  until(t: number, localUS: number): number {
    return t - this.#applied - localUS;
  }

  /** Server minus local time, best estimate, microseconds. */
  get offsetUS(): number {
    return this.#target;
  }

  /** The shortest recent round trip, microseconds; null before the first. */
  get rttUS(): number | null {
    return this.#trips.length === 0 ? null : Math.min(...this.#trips.map((s) => s.hi - s.lo));
  }
}
