// A platform whose time, timers and network a test moves by hand.

import { connect } from '../../src/index.ts';
import type { Client, ConnectOptions, Status } from '../../src/types.ts';
import type { Platform } from '../../src/platform.ts';
import { decodePing, encodePong, MSG } from '../../src/wire/pose.ts';

/** Lets everything that is ready run: promises of several steps. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 40; i++) await Promise.resolve();
}

interface Timer {
  at: number;
  order: number;
  fn: () => void;
}

/** A WebSocket whose other end is the test. */
export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readonly url: string;
  readyState = 0;
  bufferedAmount = 0;
  binaryType = '';
  readonly texts: string[] = [];
  readonly poses: Uint8Array[] = [];
  closed = false;
  /** Answers pings with the server's time. */
  serverUS: (() => number) | null = null;
  onopen: (() => void) | null = null;
  onmessage: ((m: { data: unknown }) => void) | null = null;
  onclose: ((c: { code: number; reason: string }) => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }

  get query(): URLSearchParams {
    return new URL(this.url).searchParams;
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  send(data: string | Uint8Array): void {
    if (typeof data === 'string') {
      this.texts.push(data);
      return;
    }
    if ((data[0] ?? 0) % 16 === MSG.ping) {
      const at = this.serverUS?.();
      if (at !== undefined) this.binary(encodePong({ t0: decodePing(data), t1: BigInt(Math.round(at)), t2: BigInt(Math.round(at)) }));
      return;
    }
    this.poses.push(data);
  }

  text(m: object | string): void {
    this.onmessage?.({ data: typeof m === 'string' ? m : JSON.stringify(m) });
  }

  binary(bytes: Uint8Array): void {
    this.onmessage?.({ data: bytes.slice().buffer });
  }

  /** The server or the network ends it. */
  end(code: number, reason = ''): void {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }

  close(): void {
    this.closed = true;
    if (this.readyState !== 3) this.end(1000);
  }

  get sent(): { t: string; n?: number }[] {
    return this.texts.map((t) => JSON.parse(t) as { t: string; n?: number });
  }
}

/** The welcome of docs/protocol.md with what a test changes. */
export function welcome(fields: Record<string, unknown> = {}): object {
  return {
    t: 'welcome', v: 1, venue: 'hall', session: '77', entity: '700', user: 'u-1', name: 'Zoë', region: 'ground',
    time_us: 81_200_000, tick: 2436, tick_us: 33_333, t0_us: 0, phase_us: 8333, upload_hz: 30, send_hz: 30, lattice: 1024,
    resume: 'resume-1', grace_ms: 10_000, cursor: 0, resumed: false, full: false, p: [4, 1.65, 2], q: [0, 0, 0, 1],
    kinds: [{ name: 'cup', grabbable: true, usable: false, shape: 'cylinder', size: [0.1], color: '#cc8844' }], ...fields,
  };
}

export class FakePlatform implements Platform {
  nowMS = 5000;
  #timers: Timer[] = [];
  #order = 0;
  RTCPeerConnection: typeof globalThis.RTCPeerConnection | undefined = undefined;
  WebSocket: typeof globalThis.WebSocket | undefined = FakeSocket as unknown as typeof globalThis.WebSocket;
  fetch: typeof globalThis.fetch = () => Promise.reject(new TypeError('no network'));
  hide: (() => void) | null = null;

  constructor() {
    FakeSocket.all = [];
  }

  now = (): number => this.nowMS;
  random = (): number => 1;

  setTimer = (fn: () => void, ms: number): unknown => {
    const timer = { at: this.nowMS + Math.max(0, ms), order: this.#order++, fn };
    this.#timers.push(timer);
    return timer;
  };

  clearTimer = (timer: unknown): void => {
    this.#timers = this.#timers.filter((t) => t !== timer);
  };

  onPageHide = (fn: () => void): (() => void) => {
    this.hide = fn;
    return () => (this.hide = null);
  };

  /** How many timers wait. */
  get timers(): number {
    return this.#timers.length;
  }

  /** Moves time, and runs what is due on the way. */
  async advance(ms: number): Promise<void> {
    const end = this.nowMS + ms;
    for (;;) {
      await settle();
      const due = this.#timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!due) break;
      this.clearTimer(due);
      this.nowMS = Math.max(this.nowMS, due.at);
      due.fn();
    }
    this.nowMS = end;
    await settle();
  }

  /** Moves time without running anything, as when the page is frozen. */
  freeze(ms: number): void {
    this.nowMS += ms;
  }

  /** The newest socket. */
  get socket(): FakeSocket {
    const s = FakeSocket.all[FakeSocket.all.length - 1];
    if (!s) throw new Error('no socket was made');
    return s;
  }
}

export interface Joined {
  client: Client;
  platform: FakePlatform;
  socket: FakeSocket;
  states: Status[];
}

/** A token that may be used again, as development tokens may. */
export const MANY = `x.${btoa('{"many":true}')}.y`;

/** Joins over a fake WebSocket. */
export async function join(options: Partial<ConnectOptions> = {}, greeting: Record<string, unknown> = {}): Promise<Joined> {
  const platform = new FakePlatform();
  const states: Status[] = [];
  const coming = connect({
    url: 'https://venue.example/', token: 'join-1', lane: 'ws', platform, onStatus: (s) => states.push(s), ...options,
  });
  await settle();
  const { socket } = platform;
  socket.open();
  await settle();
  socket.text(welcome(greeting));
  const client = await coming;
  await platform.advance(0);
  return { client, platform, socket, states };
}

/** Lets a reconnecting client's newest socket come up and be welcomed. */
export async function rejoin(platform: FakePlatform, greeting: Record<string, unknown> = {}): Promise<FakeSocket> {
  const { socket } = platform;
  socket.open();
  await settle();
  socket.text(welcome({ resume: 'resume-2', resumed: true, ...greeting }));
  await settle();
  return socket;
}
