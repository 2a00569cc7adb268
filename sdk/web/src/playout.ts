// When to show what was received. Times are microseconds on the server's timeline.

/** Longest delay that playout may take on, and how late a sample may be put in its place: 200 ms. */
export const MAX_DELAY_US = 200_000;

const FIRST_DELAY_US = 100_000; // until enough frames have come to know better
const ENOUGH = 8; // frames
const WINDOW_US = 4_000_000;
const PERCENTILE = 0.95;
const MARGIN_US = 3_000;
// How much faster or slower than time itself playout may run while its delay changes.
const CATCH_UP = 0.05;
const FALL_BACK = 0.1;

/**
 * The playout clock: server time minus a delay that is as small as the jitter allows.
 *
 * The estimator: playout between two states needs the later one. Just before frame k comes, the newest states are those of
 * frame k - 1, so the delay that would have sufficed is *arrival of k minus tick of k - 1*: path, jitter, the pause between
 * frames and what was lost between them, in one figure. Of these figures of the last four seconds the 95th percentile is
 * aimed at, plus 3 ms, at most 200 ms; what comes later still is covered by extrapolation. The delay moves there by
 * running at most 10 % slower (to grow) or 5 % faster (to shrink) than time, so motion never jumps, and playout time
 * never runs back.
 */
export class Playout {
  #needs: { at: number; need: number }[] = [];
  #lastTickUS: number | null = null;
  #target = FIRST_DELAY_US;
  #delay = FIRST_DELAY_US;
  #movedAt: number | null = null;
  #last = -Infinity;

  /** Takes a frame: when it came (best estimate of the server's time) and the time of its tick. */
  frame(arrivalUS: number, tickUS: number): void {
    const before = this.#lastTickUS;
    this.#lastTickUS = tickUS;
    if (before === null || tickUS <= before) return;
    // A venue's silence is no jitter: after a pause that no delay could cover the measuring starts anew.
    if (tickUS - before > 5 * MAX_DELAY_US) return;
    this.#needs.push({ at: arrivalUS, need: arrivalUS - before });
    while ((this.#needs[0]?.at ?? Infinity) < arrivalUS - WINDOW_US) this.#needs.shift();
    if (this.#needs.length < ENOUGH) return;
    const sorted = this.#needs.map((n) => n.need).sort((a, b) => a - b);
    const need = sorted[Math.ceil(sorted.length * PERCENTILE) - 1] ?? FIRST_DELAY_US;
    this.#target = Math.max(0, Math.min(MAX_DELAY_US, need + MARGIN_US));
    if (this.#movedAt === null) this.#delay = this.#target; // nothing was shown yet
  }

  /** Playout time at a server time; never less than was given before. */
  time(nowUS: number): number {
    const passed = this.#movedAt === null ? 0 : Math.max(0, nowUS - this.#movedAt);
    this.#movedAt = Math.max(nowUS, this.#movedAt ?? nowUS);
    const d = this.#target - this.#delay;
    this.#delay += Math.max(-passed * CATCH_UP, Math.min(passed * FALL_BACK, d));
    this.#last = Math.max(this.#last, nowUS - this.#delay);
    return this.#last;
  }

  /** The delay in force, microseconds. */
  get delayUS(): number {
    return this.#delay;
  }

  /** The delay aimed at, microseconds. */
  get targetUS(): number {
    return this.#target;
  }

  /** Forgets the timeline: times of another one follow. */
  reset(): void {
    this.restart();
    this.#movedAt = null;
    this.#last = -Infinity;
  }

  /** Forgets the frames of a connection that is over; the delay stays until the next one has shown what it needs. */
  restart(): void {
    this.#needs = [];
    this.#lastTickUS = null;
  }
}
