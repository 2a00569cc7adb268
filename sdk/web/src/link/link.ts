// A transport with both lanes, and how one is chosen.

import type { Platform } from '../platform.ts';
import { Refused, reasonOf } from '../refused.ts';
import type { Lane, LaneChoice } from '../types.ts';
import { openRTC } from './webrtc.ts';
import { openWebSocket } from './websocket.ts';

/** What a link calls with what arrives and what happens to it. `dead` comes once, after which nothing comes. */
export interface LinkEvents {
  pose(bytes: Uint8Array): void;
  event(text: string): void;
  /** The path has become doubtful: time for repair. */
  trouble(): void;
  dead(cause: Error): void;
}

/** One transport with both lanes. */
export interface Link {
  readonly lane: Lane;
  /** Sends on the pose lane, or skips it and answers false when that is behind. */
  sendPose(bytes: Uint8Array<ArrayBuffer>): boolean;
  /** Sends on the event lane; false when the link is dying. */
  sendEvent(text: string): boolean;
  /** Tries to bring the same connection back; null when this lane has no such way. Rejects when only a new one helps. */
  repair: (() => Promise<void>) | null;
  /** Resolves once what was sent on the event lane has left. */
  flush(): Promise<void>;
  /** Tells the server that this connection will not come back, in a way that survives the end of the page. */
  remove(): Promise<void>;
  /** Ends it without a word; `dead` is not called. */
  close(): void;
}

/** What one attempt shows the server. */
export interface Ticket {
  readonly token: string;
  /** Query parameters: who and where to be, or the newest event numbers. */
  readonly query: URLSearchParams;
}

/** How to reach the server. */
export interface Reach {
  readonly platform: Platform;
  /** Base URL without a slash at its end. */
  readonly url: string;
  readonly lane: LaneChoice;
  readonly iceServers: readonly RTCIceServer[];
  /** Most time for an attempt, milliseconds. */
  readonly setupMS: number;
}

/** Chooses lanes: `auto` is WebRTC, and WebSocket where that does not come up; once it had to, it begins there. */
export class Opener {
  #preferWS = false;

  /**
   * Opens a link. Rejects with a Refused when the venue has refused (another lane would hear the same) or the platform
   * has no lane, with another Error when no path came up.
   */
  async open(reach: Reach, ticket: Ticket, events: LinkEvents, signal: AbortSignal): Promise<Link> {
    const { platform } = reach;
    const lanes = this.#lanes(reach.lane, platform);
    let failure: unknown;
    for (const [i, lane] of lanes.entries()) {
      const ms = lanes.length === 1 ? reach.setupMS : reach.setupMS / 2;
      try {
        const link = await within(platform, ms, signal, (s) =>
          lane === 'ws' ? openWebSocket(reach, ticket, events, s) : openRTC(reach, ticket, events, s));
        this.#preferWS = lane === 'ws' && lanes.length > 1;
        return link;
      } catch (e) {
        if (e instanceof Refused || signal.aborted) throw e;
        failure = i === 0 ? e : new Error(`${reasonOf(failure)}; ${reasonOf(e)}`);
      }
    }
    throw failure;
  }

  #lanes(choice: LaneChoice, platform: Platform): readonly LaneChoice[] {
    const rtc = platform.RTCPeerConnection !== undefined;
    const ws = platform.WebSocket !== undefined;
    const update = 'Use a current Chrome, Edge, Firefox or Safari.';
    switch (choice) {
      case 'ws':
        if (!ws) throw Refused.local('unsupported', `This browser has no WebSocket, which the chosen lane needs. ${update}`);
        return ['ws'];
      case 'webrtc':
      case 'tcp':
        if (!rtc) throw Refused.local('unsupported', `This browser has no WebRTC, which the chosen lane needs. Choose lane "auto", or: ${update}`);
        return [choice];
      case 'auto':
        if (!rtc && !ws) throw Refused.local('unsupported', `This browser has neither WebRTC nor WebSocket. ${update}`);
        if (!rtc) return ['ws'];
        if (!ws) return ['webrtc'];
        return this.#preferWS ? ['ws', 'webrtc'] : ['webrtc', 'ws'];
    }
    throw new RangeError(`lane is ${JSON.stringify(choice)}: want "auto", "webrtc", "tcp" or "ws"`);
  }
}

/** Runs work with a signal that is aborted with the outer one, or after a time. */
export async function within<T>(platform: Platform, ms: number, outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const inner = new AbortController();
  const pass = () => inner.abort(outer.reason);
  if (outer.aborted) pass();
  outer.addEventListener('abort', pass);
  const timer = platform.setTimer(() => inner.abort(new Error(`not up after ${Math.round(ms / 100) / 10} s`)), ms);
  try {
    return await work(inner.signal);
  } finally {
    platform.clearTimer(timer);
    outer.removeEventListener('abort', pass);
  }
}

/** Rejects when the signal is aborted; the result ends the waiting. */
export function aborted(signal: AbortSignal): { promise: Promise<never>; stop: () => void } {
  let stop = () => undefined as void;
  const promise = new Promise<never>((_, reject) => {
    const fail = () => reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail);
    stop = () => signal.removeEventListener('abort', fail);
  });
  promise.catch(() => undefined);
  return { promise, stop };
}
