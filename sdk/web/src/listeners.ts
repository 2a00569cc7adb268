import type { ClientEvents } from './types.ts';

type Fn<T extends keyof ClientEvents> = (event: ClientEvents[T]) => void;

/** Who listens to what. A listener that throws does not keep the others, or the lane, from going on. */
export class Listeners {
  readonly #lists: { [T in keyof ClientEvents]: Set<Fn<T>> } = {
    enter: new Set(), leave: new Set(), event: new Set(), status: new Set(),
  };

  /** Adds a listener; the result removes it. */
  on<T extends keyof ClientEvents>(type: T, fn: Fn<T>): () => void {
    const list: Set<Fn<T>> = this.#lists[type];
    // Wrapped, so that the same function added twice is called twice and removed by its own handle.
    const own: Fn<T> = (event) => fn(event);
    list.add(own);
    return () => void list.delete(own);
  }

  /** Tells all listeners of a type. What they throw is reported as uncaught, after the others were told. */
  emit<T extends keyof ClientEvents>(type: T, event: ClientEvents[T]): void {
    const list: Set<Fn<T>> = this.#lists[type];
    for (const fn of [...list]) {
      try {
        fn(event);
      } catch (e) {
        queueMicrotask(() => {
          throw e;
        });
      }
    }
  }
}
