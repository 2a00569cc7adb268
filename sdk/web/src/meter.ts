/** Counts how often something happened in the last second or so. */
export class Meter {
  #at: number[] = [];

  /** Notes one at a time, milliseconds. */
  tick(nowMS: number): void {
    this.#at.push(nowMS);
    this.#forget(nowMS);
  }

  /** How many in the last second. */
  perSecond(nowMS: number): number {
    this.#forget(nowMS);
    return this.#at.length;
  }

  #forget(nowMS: number): void {
    let old = 0;
    while ((this.#at[old] ?? Infinity) <= nowMS - 1000) old++;
    if (old > 0) this.#at.splice(0, old);
  }
}
