/** How sharp the picture is drawn: as sharp as the screen, unless frames come late. Pure. */

/** The picture is drawn no coarser than this many pixels for one of the page's. */
export const RATIO_LEAST = 0.7;

/**
 * The next pixel ratio, from the one now, the interval between frames that nine of ten are within (milliseconds),
 * and what the screen has. Going down is quick, going up slow, and between 14 and 20 ms nothing changes.
 */
export function nextRatio(ratio: number, frameMS: number, screen: number): number {
  const most = Math.min(screen, 2);
  if (frameMS > 20) return Math.max(Math.min(RATIO_LEAST, most), ratio * 0.85);
  if (frameMS < 14) return Math.min(most, ratio * 1.05);
  return Math.min(most, ratio);
}

/** Intervals between frames, the newest few hundred. */
export class FrameTimes {
  readonly #ms: number[] = [];

  /** Notes an interval, milliseconds. */
  add(ms: number): void {
    this.#ms.push(ms);
    if (this.#ms.length > 300) this.#ms.shift();
  }

  /** How many are kept. */
  get count(): number {
    return this.#ms.length;
  }

  /** The interval that a part `q` (0 to 1) of the newest `last` are within, milliseconds; 0 before the first. */
  quantile(q: number, last = 300): number {
    const sorted = this.#ms.slice(-last).sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
  }

  /** Frames a second over the newest `last`. */
  fps(last = 60): number {
    const part = this.#ms.slice(-last);
    const sum = part.reduce((a, b) => a + b, 0);
    return sum > 0 ? (1000 * part.length) / sum : 0;
  }

  /** Forgets what was noted: a measurement begins. */
  clear(): void {
    this.#ms.length = 0;
  }
}
