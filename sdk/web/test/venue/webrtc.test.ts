// The WebRTC lane over libwebrtc, in a real venue: over UDP, over ICE-TCP alone, and after an ICE restart.

import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Client, type ConnectOptions } from '../../src/index.ts';
import { Opener, type Link } from '../../src/link/link.ts';
import { platformOf } from '../../src/platform.ts';
import { build, folder, serve, type Server } from '../support/server.ts';
import { until } from '../support/wait.ts';

const { RTCPeerConnection } = createRequire(import.meta.url)('@roamhq/wrtc') as { RTCPeerConnection: typeof globalThis.RTCPeerConnection };
const dir = folder();
let server: Server;
const open: Client[] = [];

beforeAll(async () => {
  server = await serve(build('./cmd/venued', dir.path), `${dir.path}/data`);
});

afterAll(async () => {
  await Promise.all(open.map((c) => c.leave()));
  await server.stop();
  dir.remove();
});

async function join(user: string, options: Partial<ConnectOptions>): Promise<Client> {
  const c = await connect({ url: server.url, token: server.token, user, spawn: 'entrance', platform: { RTCPeerConnection }, ...options });
  open.push(c);
  return c;
}

test.each(['webrtc', 'tcp'] as const)('joins, exchanges and leaves over %s', async (lane) => {
  const a = await join(`a-${lane}`, { lane, name: 'Ada' });
  const b = await join(`b-${lane}`, { lane, name: 'Bob' });
  const seen = await until('the other', () => a.entities.get(b.welcome.entity));
  expect(seen.name).toBe('Bob');
  const from = seen.sample().head.p;
  const [x, y, z] = b.welcome.place.p;
  const to = { p: [x + 0.5, y, z], q: [0, 0, 0, 1] } as const;
  b.setPose({ head: to, left: to, right: to });
  await until('the other to move', () => seen.sample().head.p[0] > from[0] + 0.3);
  await until('figures', () => a.stats().rttMS !== null && a.stats().receivedHz > 15);
  expect(a.stats().lane).toBe(lane);
  const outcome = await b.message('hello', { from: lane });
  expect(outcome.ok).toBe(true);
  await b.leave();
  await until('the other to be gone', () => !a.entities.has(b.welcome.entity));
  await a.leave();
});

test('an ICE restart keeps the session and both channels', async () => {
  const links: Link[] = [];
  const openLink = Opener.prototype.open;
  Opener.prototype.open = async function (...args) {
    const link = await openLink.apply(this, args);
    links.push(link);
    return link;
  };
  const client = await join('restart', { lane: 'webrtc' });
  Opener.prototype.open = openLink;
  const link = links[0];
  await link?.repair?.();
  const { bytesDown } = client.stats();
  await until('frames after it', () => client.stats().bytesDown > bytesDown + 500);
  expect((await client.message('still')).ok).toBe(true);
  expect(client.status.state).toBe('connected');
  await client.leave();
});

test('auto is WebRTC where there is WebRTC', async () => {
  const client = await join('auto', { lane: 'auto', platform: platformOf({ RTCPeerConnection }) });
  expect(client.stats().lane).toBe('webrtc');
  await client.leave();
});

test('a refusal over HTTP has its status', async () => {
  await expect(join('nobody', { lane: 'webrtc', token: 'nonsense' })).rejects.toMatchObject({ name: 'token_invalid', status: 401, retry: 'no' });
});
