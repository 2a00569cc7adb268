/** How long anything may take in a test: far above what it takes, since it decides about nothing else. */
export const PATIENCE_MS = 40_000;

/** Resolves with what `holds` gives once it gives something; rejects when it does not in time. */
export async function until<T>(name: string | (() => string), holds: () => T | null | undefined | false): Promise<T> {
  const what = typeof name === 'string' ? () => name : name;
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = holds();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${what()}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}
