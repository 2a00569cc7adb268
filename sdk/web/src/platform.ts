/** What the client uses of its surroundings. A browser has all of it; tests and Node give their own. */
export interface Platform {
  /** A monotonic clock, milliseconds from any origin, as `performance.now`. */
  now(): number;
  /** One-shot timer, milliseconds, as `setTimeout`. */
  setTimer(fn: () => void, ms: number): unknown;
  clearTimer(timer: unknown): void;
  /** 0 to 1, as `Math.random`: for pauses between attempts. */
  random(): number;
  fetch: typeof fetch;
  /** Undefined where the platform has no WebRTC. */
  RTCPeerConnection: typeof RTCPeerConnection | undefined;
  /** Undefined where the platform has no WebSocket. */
  WebSocket: typeof WebSocket | undefined;
  /** Calls `fn` when the page goes away for good or into the back-forward cache; the result ends that. */
  onPageHide(fn: () => void): () => void;
}

/** The surroundings as the global scope has them, with what is given put in place. */
export function platformOf(given: Partial<Platform> = {}): Platform {
  const g = globalThis;
  return {
    now: () => performance.now(),
    setTimer: (fn, ms) => setTimeout(fn, ms),
    clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    random: () => Math.random(),
    fetch: (...args) => g.fetch(...args),
    RTCPeerConnection: g.RTCPeerConnection,
    WebSocket: g.WebSocket,
    onPageHide: (fn) => {
      if (typeof g.addEventListener !== 'function' || !('document' in g)) return () => undefined;
      g.addEventListener('pagehide', fn);
      return () => g.removeEventListener('pagehide', fn);
    },
    ...given,
  };
}
