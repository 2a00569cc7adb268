// The server's timeline, learnt from round trips over the pose lane (NTP-style). Times are microseconds.

// Half of what a round trip took bounds the error of its offset, so of the recent ones the shortest is believed; a
// sample loses credit with age, since two ordinary oscillators part by up to 100 parts per million.
const SAMPLES = 16;
const MAX_DRIFT = 100e-6;
// How fast a correction is worked in, so that time never jumps, and from when on a forward one is taken at once.
const SLEW = 5000e-6;
const STEP_US = 250_000;
// The first round trips replace the greeting at once, before anything was timed by it for long.
const HASTY = 3;

interface RoundTrip {
  readonly at: number;
  readonly rtt: number;
  readonly offset: number;
}

/**
 * Maps the local monotonic clock to the server's timeline. Its time never runs back: small corrections are slewed, large
 * forward ones are taken at once, and after a large backward one it stands still until the timeline has caught up.
 */
export class Clock {
  #trips: RoundTrip[] = [];
  #taken = 0;
  #synced = false;
  #target = 0; // best estimate of server minus local
  #applied = 0; // what now() adds
  #slewAt = 0; // local time at which applied was last moved
  #last = -Infinity; // newest time given out

  /** Takes the first, one-way estimate, from a welcome: only until a round trip was measured. */
  greet(serverUS: number, localUS: number): void {
    if (this.#taken > 0) return;
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
    this.#trips[this.#taken++ % SAMPLES] = { at: t3, rtt, offset: t1 - t0 - rtt / 2 };
    let best = Infinity;
    this.#slew(t3);
    for (const s of this.#trips) {
      const error = s.rtt / 2 + (t3 - s.at) * MAX_DRIFT;
      if (error < best) {
        best = error;
        this.#target = s.offset;
      }
    }
    if (!this.#synced || this.#taken <= HASTY || Math.abs(this.#target - this.#applied) > STEP_US) this.#applied = this.#target;
    this.#synced = true;
  }

  /** Forgets everything: the timeline is another one. */
  reset(): void {
    this.#trips = [];
    this.#taken = 0;
    this.#synced = false;
    this.#last = -Infinity;
  }

  #slew(localUS: number): void {
    const passed = localUS - this.#slewAt;
    if (passed <= 0) return;
    this.#slewAt = localUS;
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
    return this.#trips.length === 0 ? null : Math.min(...this.#trips.map((s) => s.rtt));
  }
}
