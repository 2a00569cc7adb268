// The WebRTC lane against a peer and a server that the test plays.

import { beforeEach, describe, expect, test } from 'vitest';
import { connect, type Client, type ConnectOptions, type Refused } from '../src/index.ts';
import { onlyTCP } from '../src/link/webrtc.ts';
import { Code } from '../src/codes.gen.ts';
import { FakePlatform, FakeSocket, rejoin, settle, welcome } from './support/fake.ts';
import { CANDIDATES, FakePeer, FakeSignal } from './support/peer.ts';

let platform: FakePlatform;
let signal: FakeSignal;

beforeEach(() => {
  platform = new FakePlatform();
  signal = new FakeSignal();
  platform.fetch = signal.fetch;
  platform.RTCPeerConnection = FakePeer as unknown as typeof globalThis.RTCPeerConnection;
  FakePeer.all = [];
});

function begin(options: Partial<ConnectOptions> = {}): Promise<Client> {
  const coming = connect({ url: 'https://venue.example', token: 'join-1', user: 'u-1', platform, ...options });
  coming.catch(() => undefined);
  return coming;
}

function peer(i = -1): FakePeer {
  const p = FakePeer.all.at(i);
  if (!p) throw new Error('no peer was made');
  return p;
}

async function join(options: Partial<ConnectOptions> = {}): Promise<Client> {
  const coming = begin(options);
  await settle();
  peer().up();
  await settle();
  peer().channel('event').text(welcome());
  const client = await coming;
  await platform.advance(0);
  return client;
}

describe('the WebRTC lane', () => {
  test('makes two channels, offers with the token in the header, and speaks on both', async () => {
    const client = await join({ iceServers: [{ urls: 'stun:stun.example' }] });
    expect(peer().config.iceServers).toEqual([{ urls: 'stun:stun.example' }]);
    expect(peer().channel('pose').init).toEqual({ ordered: false, maxRetransmits: 0 });
    expect(peer().channel('event').init).toBeUndefined();
    expect(signal.asked).toMatchObject([{
      method: 'POST', url: 'https://venue.example/v1/rtc?user=u-1',
      headers: { Authorization: 'Bearer join-1', 'Content-Type': 'application/sdp' },
    }]);
    expect(client.stats().lane).toBe('webrtc');
    await platform.advance(100);
    expect(peer().channel('pose').sent.length).toBeGreaterThan(1);
    void client.message('hello');
    await settle();
    expect(peer().channel('event').sent).toHaveLength(1);
  });

  test('over TCP alone, no UDP candidate is told or heard', async () => {
    const client = await join({ lane: 'tcp' });
    expect(signal.asked[0]?.body).toContain(CANDIDATES[1]);
    expect(signal.asked[0]?.body).not.toContain(' udp ');
    expect(peer().answers[0]).not.toContain(' udp ');
    expect(peer().answers[0]).toContain(CANDIDATES[1]);
    expect(client.stats().lane).toBe('tcp');
    expect(onlyTCP('v=0\r\na=candidate:1 1 UDP 5 h 1 typ host\r\na=x\r\n')).toBe('v=0\r\na=x\r\n');
  });

  test('skips samples that would only queue, and gives up an event lane that is far behind', async () => {
    const client = await join();
    peer().channel('pose').bufferedAmount = 9000;
    const before = peer().channel('pose').sent.length;
    await platform.advance(300);
    expect(peer().channel('pose').sent.length).toBe(before);
    peer().channel('event').bufferedAmount = 300_000;
    void client.message('hello');
    await settle();
    expect(client.status.state).toBe('reconnecting');
    expect(peer(0).closed).toBe(true);
  });

  test('leaving says bye and has the connection removed in a way that outlives the page', async () => {
    const client = await join();
    platform.hide?.();
    expect(peer().channel('event').sent).toEqual(['{"t":"bye"}']);
    expect(signal.of('DELETE')).toMatchObject([{ url: 'https://venue.example/v1/rtc/secret', keepalive: true }]);
    await client.leave();
    expect(peer().closed).toBe(true);
  });
});

describe('choosing a lane', () => {
  test('falls back to WebSocket when WebRTC does not come up, and stays there', async () => {
    const coming = begin({ setupTimeoutMS: 8000 });
    await platform.advance(4000); // its half of the time
    expect(peer().closed).toBe(true);
    expect(signal.of('DELETE')).toHaveLength(1); // the server need not wait for it
    platform.socket.open();
    await settle();
    platform.socket.text(welcome());
    const client = await coming;
    expect(client.stats().lane).toBe('ws');
    platform.socket.end(1006);
    await platform.advance(100);
    expect(FakePeer.all).toHaveLength(1);
    await rejoin(platform);
    expect(client.status).toMatchObject({ state: 'connected', lane: 'ws' });
  });

  test('falls back at once when ICE finds no path', async () => {
    void begin();
    await settle();
    peer().ice('failed');
    await settle();
    expect(FakeSocket.all).toHaveLength(1);
  });

  test('a refusal is final: another lane would hear the same', async () => {
    signal.answer = () => new Response('{"code":4001,"name":"wrong_venue","msg":"the token is for venue \\"gallery\\""}', { status: 403 });
    await expect(begin()).rejects.toMatchObject({ code: Code.WrongVenue, status: 403, retry: 'no', message: 'the token is for venue "gallery"' });
    expect(FakeSocket.all).toHaveLength(0);
  });

  test.each([
    [503, '<html>', 'unavailable', 'later'], [404, '<html>', 'unreachable', 'resume'],
  ])('an answer %i that is no venued server\'s', async (status, body, name, retry) => {
    signal.answer = () => new Response(body, { status });
    const e = (await begin({ lane: 'webrtc' }).catch((x: unknown) => x)) as Refused;
    expect(e).toMatchObject({ name, retry });
    expect(e.message).toContain(String(status));
  });

  test('no network on either lane names both', async () => {
    signal.answer = () => Promise.reject(new TypeError('Failed to fetch'));
    const coming = begin().catch((x: unknown) => x);
    await settle();
    platform.socket.end(1006);
    const e = (await coming) as Refused;
    expect(e.name).toBe('unreachable');
    expect(e.message).toContain('Failed to fetch');
    expect(e.message).toContain('WebSocket');
  });
});

describe('a path that breaks', () => {
  test('is repaired by an ICE restart; the session goes on', async () => {
    const client = await join();
    peer().ice('disconnected');
    await settle();
    expect(client.status).toMatchObject({ state: 'lost', lane: 'webrtc' });
    expect(peer().offers[1]).toEqual({ iceRestart: true });
    expect(signal.of('PATCH')).toMatchObject([{ url: 'https://venue.example/v1/rtc/secret' }]);
    peer().ice('connected');
    await settle();
    expect(client.status).toMatchObject({ state: 'connected', resumed: true });
    expect(FakePeer.all).toHaveLength(1);
  });

  test('is repaired when nothing came for a while, whatever ICE thinks', async () => {
    await join();
    await platform.advance(2700);
    expect(signal.of('PATCH').length).toBe(1);
  });

  test('is resumed on a new connection when it cannot be repaired', async () => {
    const client = await join();
    signal.answer = (a) => (a.method === 'PATCH' ? new Response('{"code":3501,"msg":"no such connection"}', { status: 404 }) : new Response('v=0', { status: 201, headers: { Location: '/v1/rtc/2' } }));
    peer().ice('failed');
    await settle();
    expect(client.status.state).toBe('reconnecting');
    expect(client.status.reason).toContain('no such connection');
    await platform.advance(100);
    expect(FakePeer.all).toHaveLength(2);
    expect(signal.of('POST')[1]?.headers['Authorization']).toBe('Bearer resume-1');
    peer().up();
    await settle();
    peer().channel('event').text(welcome({ resumed: true }));
    await settle();
    expect(client.status).toMatchObject({ state: 'connected', resumed: true });
  });

  test('is resumed when a restart does not bring it back in time', async () => {
    const client = await join();
    peer().ice('disconnected');
    await platform.advance(4000);
    expect(client.status.state).toBe('reconnecting');
    expect(peer(0).closed).toBe(true);
  });

  test('a channel that the server closed ends the link, with the close message\'s reason if there was one', async () => {
    const a = await join();
    peer().channel('event').end();
    expect(a.status).toMatchObject({ state: 'reconnecting', reason: 'the server closed the channel "event"' });
    const b = await join();
    peer().channel('event').text({ t: 'close', code: Code.Kicked, msg: 'An admin ended the session.' });
    peer().channel('event').end();
    await settle();
    expect(b.status).toMatchObject({ state: 'closed', reason: 'An admin ended the session.' });
  });
});
