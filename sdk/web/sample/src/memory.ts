/** What the browser remembers for the page. A browser that remembers nothing is fine too. */

const PREFIX = 'venued.';

/** What was remembered under a key. */
export function recall(key: string, store: Storage): string | undefined {
  try {
    return store.getItem(PREFIX + key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Remembers a text under a key. */
export function remember(key: string, value: string, store: Storage): void {
  try {
    store.setItem(PREFIX + key, value);
  } catch {
    // Storage is full or not allowed: the page asks again next time.
  }
}
