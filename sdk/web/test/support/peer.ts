// An RTCPeerConnection whose other end is the test, and the HTTP server that it signals with.

type Handler = (() => void) | null;

export class FakeChannel {
  readonly label: string;
  readonly init: RTCDataChannelInit | undefined;
  readyState = 'connecting';
  bufferedAmount = 0;
  binaryType = '';
  readonly sent: (string | Uint8Array)[] = [];
  onopen: Handler = null;
  onclose: Handler = null;
  onmessage: ((m: { data: unknown }) => void) | null = null;

  constructor(label: string, init?: RTCDataChannelInit) {
    this.label = label;
    this.init = init;
  }

  send(data: string | Uint8Array): void {
    this.sent.push(data);
  }

  open(): void {
    this.readyState = 'open';
    this.onopen?.();
  }

  end(): void {
    this.readyState = 'closed';
    this.onclose?.();
  }

  text(m: object): void {
    this.onmessage?.({ data: JSON.stringify(m) });
  }
}

export const CANDIDATES = [
  'a=candidate:1 1 udp 2130706431 192.0.2.1 7878 typ host',
  'a=candidate:2 1 tcp 1671430143 192.0.2.1 7880 typ host tcptype passive',
];

export class FakePeer extends EventTarget {
  static all: FakePeer[] = [];
  readonly config: RTCConfiguration;
  readonly channels = new Map<string, FakeChannel>();
  iceConnectionState = 'new';
  connectionState = 'new';
  iceGatheringState = 'complete';
  localDescription: { sdp: string } | null = null;
  readonly answers: string[] = [];
  readonly offers: RTCOfferOptions[] = [];
  closed = false;
  oniceconnectionstatechange: Handler = null;
  onconnectionstatechange: Handler = null;
  onicegatheringstatechange: Handler = null;

  constructor(config: RTCConfiguration) {
    super();
    this.config = config;
    FakePeer.all.push(this);
  }

  createDataChannel(label: string, init?: RTCDataChannelInit): FakeChannel {
    const c = new FakeChannel(label, init);
    this.channels.set(label, c);
    return c;
  }

  createOffer(options: RTCOfferOptions): Promise<{ type: string; sdp: string }> {
    this.offers.push(options);
    return Promise.resolve({ type: 'offer', sdp: ['v=0', ...CANDIDATES, ''].join('\r\n') });
  }

  setLocalDescription(d: { sdp: string }): Promise<void> {
    this.localDescription = d;
    return Promise.resolve();
  }

  setRemoteDescription(d: { sdp: string }): Promise<void> {
    this.answers.push(d.sdp);
    return Promise.resolve();
  }

  close(): void {
    this.closed = true;
  }

  ice(state: string): void {
    this.iceConnectionState = state;
    this.oniceconnectionstatechange?.();
    this.dispatchEvent(new Event('iceconnectionstatechange'));
  }

  channel(label: 'pose' | 'event'): FakeChannel {
    const c = this.channels.get(label);
    if (!c) throw new Error(`no channel ${label}`);
    return c;
  }

  /** Both channels open. */
  up(): void {
    this.ice('connected');
    this.channel('pose').open();
    this.channel('event').open();
  }
}

export interface Asked {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  keepalive: boolean;
}

/** Signalling: answers of the test's choice, or a network error. */
export class FakeSignal {
  readonly asked: Asked[] = [];
  answer: (a: Asked) => Response | Promise<Response> = (a) =>
    a.method === 'POST'
      ? new Response(['v=0', ...CANDIDATES, ''].join('\r\n'), { status: 201, headers: { Location: '/v1/rtc/secret' } })
      : a.method === 'PATCH' ? new Response('v=0\r\n') : new Response(null, { status: 204 });

  fetch: typeof globalThis.fetch = (url, init = {}) => {
    const asked: Asked = {
      method: init.method ?? 'GET', url: String(url), headers: (init.headers ?? {}) as Record<string, string>,
      body: typeof init.body === 'string' ? init.body : '', keepalive: init.keepalive === true,
    };
    this.asked.push(asked);
    return Promise.resolve().then(() => this.answer(asked));
  };

  of(method: string): Asked[] {
    return this.asked.filter((a) => a.method === method);
  }
}
