// The WebRTC lane: two data channels, ICE over UDP and TCP, or over TCP alone.

import { Refused } from '../refused.ts';
import { aborted, within, type Link, type LinkEvents, type Reach, type Ticket } from './link.ts';
import { sendOffer } from './signal.ts';

// How much may wait on the pose lane before a sample is skipped (it queues behind a stalled path even without
// retransmits), and on the event lane before the link is given up. Bytes.
const MAX_POSE_BACKLOG = 8 * 1024;
const MAX_EVENT_BACKLOG = 256 * 1024;
// The server learns this side's addresses from its checks: gathering is not worth a longer wait. Milliseconds.
const GATHER_MS = 1000;
const REPAIR_MS = 4000;
const FLUSH_STEP_MS = 10;

/** Removes candidates that are not ICE-TCP from a session description. */
export function onlyTCP(sdp: string): string {
  return sdp
    .split(/\r?\n/)
    .filter((line) => !/^a=candidate:/.test(line) || /^a=candidate:\S+ \d+ tcp /i.test(line))
    .join('\r\n');
}

/** Makes the connection and waits until both channels are open. */
export async function openRTC(reach: Reach, ticket: Ticket, events: LinkEvents, signal: AbortSignal): Promise<Link> {
  const Peer = reach.platform.RTCPeerConnection;
  if (!Peer) throw Refused.local('unsupported', 'This browser has no WebRTC.');
  const link = new RTCLink(new Peer({ iceServers: [...reach.iceServers] }), reach, ticket.token, events);
  try {
    await link.open(ticket.query, signal);
    return link;
  } catch (e) {
    // The server should not wait for what has been given up.
    void link.remove();
    link.close();
    throw e;
  }
}

class RTCLink implements Link {
  readonly lane: 'webrtc' | 'tcp';
  readonly #pc: RTCPeerConnection;
  readonly #pose: RTCDataChannel;
  readonly #event: RTCDataChannel;
  readonly #reach: Reach;
  readonly #token: string;
  readonly #events: LinkEvents;
  #address: string | null = null;
  #dead = false;
  #up = false;
  readonly #opened: Promise<void>;
  #failed!: (cause: Error) => void;
  readonly #closing = new AbortController();

  constructor(pc: RTCPeerConnection, reach: Reach, token: string, events: LinkEvents) {
    this.lane = reach.lane === 'tcp' ? 'tcp' : 'webrtc';
    this.#pc = pc;
    this.#reach = reach;
    this.#token = token;
    this.#events = events;
    this.#pose = pc.createDataChannel('pose', { ordered: false, maxRetransmits: 0 });
    this.#event = pc.createDataChannel('event');
    this.#pose.binaryType = 'arraybuffer';
    this.#event.binaryType = 'arraybuffer';
    this.#pose.onmessage = (m: MessageEvent<unknown>) => {
      if (!this.#dead && m.data instanceof ArrayBuffer) events.pose(new Uint8Array(m.data));
    };
    this.#event.onmessage = (m: MessageEvent<unknown>) => {
      if (!this.#dead && typeof m.data === 'string') events.event(m.data);
    };
    this.#opened = new Promise((resolve, reject) => {
      let left = 2;
      this.#failed = reject;
      for (const channel of [this.#pose, this.#event]) {
        channel.onopen = () => {
          if (--left === 0) resolve();
        };
        channel.onclose = () => this.#fail(new Error(`the server closed the channel "${channel.label}"`));
      }
    });
    this.#opened.catch(() => undefined);
    pc.oniceconnectionstatechange = () => {
      if (pc.iceConnectionState === 'failed') this.#lostPath();
      else if (pc.iceConnectionState === 'disconnected' && this.#up && !this.#dead) events.trouble();
    };
    pc.onconnectionstatechange = () => {
      if (pc.connectionState === 'failed' && pc.iceConnectionState !== 'failed') this.#fail(new Error('the encryption could not be set up'));
    };
  }

  async open(query: URLSearchParams, signal: AbortSignal): Promise<void> {
    const sdp = await this.#offer(false);
    const params = query.toString();
    const url = `${this.#reach.url}/v1/rtc${params ? `?${params}` : ''}`;
    const answer = await sendOffer(this.#reach.platform, 'POST', url, this.#token, sdp, signal);
    this.#address = answer.location;
    await this.#answered(answer.sdp);
    const gone = aborted(signal);
    try {
      await Promise.race([this.#opened, gone.promise]);
    } finally {
      gone.stop();
    }
    this.#up = true;
  }

  // A failed path is past help only until this side is up: then an ICE restart may find another.
  #lostPath(): void {
    if (this.#up && !this.#dead) this.#events.trouble();
    else this.#fail(new Error('no path to the server works: UDP and TCP may be blocked'));
  }

  #fail(cause: Error): void {
    this.#failed(cause);
    if (this.#dead) return;
    if (!this.#up) return;
    this.#dead = true;
    this.#pc.close();
    this.#events.dead(cause);
  }

  async #offer(iceRestart: boolean): Promise<string> {
    const pc = this.#pc;
    await pc.setLocalDescription(await pc.createOffer({ iceRestart }));
    await this.#gathered();
    const sdp = pc.localDescription?.sdp ?? '';
    return this.lane === 'tcp' ? onlyTCP(sdp) : sdp;
  }

  #gathered(): Promise<void> {
    const pc = this.#pc;
    if (pc.iceGatheringState === 'complete') return Promise.resolve();
    return new Promise((resolve) => {
      const { platform } = this.#reach;
      const done = () => {
        platform.clearTimer(timer);
        pc.onicegatheringstatechange = null;
        resolve();
      };
      const timer = platform.setTimer(done, GATHER_MS);
      pc.onicegatheringstatechange = () => {
        if (pc.iceGatheringState === 'complete') done();
      };
    });
  }

  #answered(sdp: string): Promise<void> {
    return this.#pc.setRemoteDescription({ type: 'answer', sdp: this.lane === 'tcp' ? onlyTCP(sdp) : sdp });
  }

  /** Restarts ICE by a new offer: the encryption and the channels live on. */
  repair = (): Promise<void> => within(this.#reach.platform, REPAIR_MS, this.#closing.signal, async (signal) => {
    const address = this.#address;
    if (address === null) throw new Error('the server gave no address for a restart');
    const sdp = await this.#offer(true);
    const answer = await sendOffer(this.#reach.platform, 'PATCH', address, this.#token, sdp, signal);
    await this.#answered(answer.sdp);
    await this.#connected(signal);
  });

  #connected(signal: AbortSignal): Promise<void> {
    const pc = this.#pc;
    const up = () => pc.iceConnectionState === 'connected' || pc.iceConnectionState === 'completed';
    if (up()) return Promise.resolve();
    const gone = aborted(signal);
    let change = () => undefined as void;
    const connected = new Promise<void>((resolve) => {
      change = () => {
        if (up()) resolve();
      };
      pc.addEventListener('iceconnectionstatechange', change);
    });
    return Promise.race([connected, gone.promise]).finally(() => {
      gone.stop();
      pc.removeEventListener('iceconnectionstatechange', change);
    });
  }

  sendPose(bytes: Uint8Array<ArrayBuffer>): boolean {
    if (this.#dead || this.#pose.readyState !== 'open' || this.#pose.bufferedAmount > MAX_POSE_BACKLOG) return false;
    return this.#send(() => this.#pose.send(bytes));
  }

  sendEvent(text: string): boolean {
    if (this.#dead || this.#event.readyState !== 'open') return false;
    if (this.#event.bufferedAmount > MAX_EVENT_BACKLOG) {
      this.#fail(new Error('the event lane is 256 KiB behind'));
      return false;
    }
    return this.#send(() => this.#event.send(text));
  }

  // A channel may close, or its buffer be full, between the check and the call.
  #send(send: () => void): boolean {
    try {
      send();
      return true;
    } catch {
      return false;
    }
  }

  async flush(): Promise<void> {
    while (!this.#dead && this.#event.readyState === 'open' && this.#event.bufferedAmount > 0) {
      await new Promise<void>((resolve) => this.#reach.platform.setTimer(resolve, FLUSH_STEP_MS));
    }
  }

  async remove(): Promise<void> {
    const address = this.#address;
    if (address === null) return;
    this.#address = null;
    try {
      await this.#reach.platform.fetch(address, { method: 'DELETE', keepalive: true, credentials: 'omit' });
    } catch {
      // The server notices by itself, only later.
    }
  }

  close(): void {
    this.#dead = true;
    this.#closing.abort(new Error('the connection was closed'));
    this.#pc.close();
  }
}
