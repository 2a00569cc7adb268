// A client against a server that the test plays: resuming, close codes, inputs, fallback, leaving.

import { describe, expect, test } from 'vitest';
import { connect, Refused, type VenueEvent } from '../src/index.ts';
import { Code } from '../src/codes.gen.ts';
import { Backoff, course, reusable } from '../src/backoff.ts';
import { decodePose } from '../src/wire/pose.ts';
import { FakePlatform, FakeSocket, join, MANY, rejoin, settle, welcome } from './support/fake.ts';
import { at, FrameWriter, state } from './support/framewriter.ts';

const HAND = { p: [4, 1, 2], q: [0, 0, 0, 1] } as const;
const cup = { id: '5', kind: 2, class: 0, name: 'cup' };

describe('joining', () => {
  test('asks with the token and who to be, and stands where the venue put it', async () => {
    const { client, platform, socket, states } = await join({ user: 'u-1', name: 'Zoë', spawn: 'hall' });
    expect(Object.fromEntries(socket.query)).toEqual({ token: 'join-1', user: 'u-1', name: 'Zoë', spawn: 'hall' });
    expect(client.welcome).toMatchObject({ venue: 'hall', entity: '700', uploadHz: 30, place: { p: [4, 1.65, 2] } });
    expect(states.map((s) => s.state)).toEqual(['connecting', 'connected']);
    await platform.advance(200);
    const pose = decodePose(socket.poses[0] ?? new Uint8Array());
    expect(pose.body.head.pos).toEqual({ x: 4096, y: 1690, z: 2048 });
    expect(pose.ack).toBeNull();
  });

  test('numbers samples, stamps them in server time and acknowledges frames', async () => {
    const { client, platform, socket } = await join();
    socket.serverUS = () => 81_200_000 + (platform.nowMS - 5000) * 1000;
    client.setPose({ head: { p: [1, 2, 3], q: [0, 0, 0, 1] }, left: HAND, right: HAND });
    await platform.advance(500);
    socket.binary(new FrameWriter({ seq: 41, tick: 2440 }).enter(1, cup, state({ head: at(1, 2, 3) })).done());
    await platform.advance(500);
    const poses = socket.poses.map((p) => decodePose(p));
    expect(poses.length).toBeGreaterThan(25);
    poses.forEach((p, i) => expect(p.seq).toBe(i + 1));
    expect(poses[0]?.ack).toBeNull();
    expect(poses[poses.length - 1]?.ack).toEqual({ seq: 41, bits: 0 });
    expect(poses[0]?.body.head.pos).toEqual({ x: 1024, y: 2048, z: 3072 });
    const stamp = (poses[poses.length - 1]?.stamp ?? 0) * 100;
    expect(Math.abs(stamp - client.serverTimeUS())).toBeLessThan(50_000);
    expect(client.stats()).toMatchObject({ visible: 1, lane: 'ws', receivedHz: 1, lostRatio: 0 });
    expect(client.stats().rttMS).toBeCloseTo(0, 2);
  });

  test('entities enter and leave, and a frame that cannot be read is told of and changes nothing', async () => {
    const { client, socket } = await join();
    const told: string[] = [];
    client.on('enter', (e) => told.push(`+${e.id}`));
    client.on('leave', (e) => told.push(`-${e.id}`));
    const errors: VenueEvent[] = [];
    client.on('event', (e) => errors.push(e));
    socket.binary(new FrameWriter({ seq: 1, tick: 2440 }).enter(1, cup, state({ head: at(1024, 2048, 0) })).done());
    expect(client.entities.get('5')?.sample().head.p).toEqual([1, 2, 0]);
    socket.binary(new FrameWriter({ seq: 2, tick: 2441 }).full(9, state()).done());
    expect(errors).toMatchObject([{ t: 'error', code: 100, field: 'record 0: handle' }]);
    socket.binary(new FrameWriter({ seq: 3, tick: 2442 }).leave(1).done());
    expect(told).toEqual(['+5', '-5']);
    expect(client.entities.size).toBe(0);
  });

  test('a pose that is no pose is refused on the spot, with where it is wrong', async () => {
    const { client } = await join();
    const bad = { head: { p: [1, NaN, 3], q: [0, 0, 0, 1] }, left: HAND, right: HAND } as const;
    expect(() => client.setPose(bad)).toThrow('head.p[1] is NaN');
    await expect(client.grab('cup', 'left', HAND)).rejects.toThrow('object is "cup"');
    await expect(client.grab('5', 'left', { p: [0, 0, 0], q: [0, 0, 0, 0] })).rejects.toThrow('joint.q');
    await expect(client.message('x'.repeat(65))).rejects.toThrow('65 bytes');
  });

  test('without a token, or with an address that is none, it says what to do', async () => {
    await expect(connect({ url: 'https://venue.example' })).rejects.toThrow('join link');
    await expect(connect({ url: 'venue', token: 'x' })).rejects.toThrow('"venue"');
    await expect(connect({ url: 'ftp://venue', token: 'x' })).rejects.toMatchObject({ name: 'unsupported' });
  });

  test('a join link has the token in it', async () => {
    const { socket } = await join({ url: 'https://venue.example/hall/#token=linked', token: undefined as unknown as string });
    expect(socket.url).toMatch(/^wss:\/\/venue\.example\/hall\/v1\/ws\?/);
    expect(socket.query.get('token')).toBe('linked');
  });
});

describe('lanes', () => {
  test('an old browser without WebRTC gets the WebSocket lane', async () => {
    expect((await join({ lane: 'auto' })).client.stats().lane).toBe('ws');
  });

  test('one without either is told so', async () => {
    const platform = new FakePlatform();
    platform.WebSocket = undefined;
    await expect(connect({ url: 'https://v', token: 'x', platform })).rejects.toThrow('neither WebRTC nor WebSocket');
    await expect(connect({ url: 'https://v', token: 'x', platform, lane: 'ws' })).rejects.toMatchObject({ name: 'unsupported', retry: 'no' });
    await expect(connect({ url: 'https://v', token: 'x', platform, lane: 'tcp' })).rejects.toThrow('no WebRTC');
  });

  test('a server that does not answer in time is unreachable', async () => {
    const platform = new FakePlatform();
    const coming = connect({ url: 'https://v.example', token: 'x', lane: 'ws', platform, setupTimeoutMS: 3000 }).catch((e: unknown) => e);
    await platform.advance(3000);
    const e = (await coming) as Refused;
    expect(e).toMatchObject({ name: 'unreachable', retry: 'resume', code: 0 });
    expect(e.message).toContain('https://v.example');
    expect(platform.socket.closed).toBe(true);
    expect(platform.timers).toBe(0);
  });

  test('a server that opens and does not welcome is unreachable too', async () => {
    const platform = new FakePlatform();
    const coming = connect({ url: 'https://v.example', token: 'x', lane: 'ws', platform, setupTimeoutMS: 3000 }).catch((e: unknown) => e);
    await settle();
    platform.socket.open();
    await platform.advance(3000);
    expect(await coming).toMatchObject({ name: 'unreachable' });
    expect(platform.socket.closed).toBe(true);
  });
});

describe('refusals', () => {
  test.each([
    [Code.WrongVenue, 'wrong_venue', 'no'], [Code.TokenExpired, 'token_expired', 'new_token'], [Code.VenueFull, 'venue_full', 'later'],
  ])('code %i at joining', async (code, name, retry) => {
    const platform = new FakePlatform();
    const coming = connect({ url: 'https://v', token: 'x', lane: 'ws', platform }).catch((e: unknown) => e);
    await settle();
    platform.socket.open();
    platform.socket.text({ t: 'close', code, name, msg: 'because', retry });
    platform.socket.end(code, 'because');
    expect(await coming).toMatchObject({ code, name, retry, message: 'because' });
    expect(FakeSocket.all).toHaveLength(1);
  });

  test.each([[2, 'this page is older'], [0, 'the server is older']])('version %i says which side is older', async (v, says) => {
    const platform = new FakePlatform();
    const coming = connect({ url: 'https://v', token: 'x', lane: 'ws', platform }).catch((e: unknown) => e);
    await settle();
    platform.socket.open();
    platform.socket.text(welcome({ v }));
    const e = (await coming) as Refused;
    expect(e).toMatchObject({ name: 'version_unsupported', retry: 'no' });
    expect(e.message).toContain(says);
  });

  test('each class of code has its course', () => {
    const is = (code: number, resuming: boolean) => course(new Refused(code), resuming);
    expect(course(new Error('the network went away'), true)).toBe('again');
    expect(is(Code.ServerShutdown, true)).toBe('again');
    expect(is(3333, true)).toBe('again'); // not known: by its range
    expect(is(Code.Unavailable, true)).toBe('again');
    expect(is(Code.SessionUnknown, true)).toBe('new_token');
    expect(is(Code.TokenInvalid, true)).toBe('new_token');
    expect(is(Code.TokenInvalid, false)).toBe('end');
    expect(is(Code.Kicked, true)).toBe('end');
    expect(is(4444, true)).toBe('end');
  });

  test('pauses grow, are random, and are longer when the venue says later', () => {
    const full = new Backoff(() => 1);
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(() => full.next(new Error('x')))).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
    expect(new Backoff(() => 0).next(new Error('x'))).toBe(50);
    const later = new Backoff(() => 1);
    const pauses = [1, 2, 3, 4, 5, 6].map(() => later.next(new Refused(Code.VenueFull)));
    expect(pauses).toEqual([2000, 4000, 8000, 16000, 30000, 30000]);
  });

  test('a token that may be used again is known by its claims', () => {
    expect(reusable(MANY)).toBe(true);
    expect(reusable('join-1')).toBe(false);
    expect(reusable(`x.${btoa('{"many":false}')}.y`)).toBe(false);
    expect(reusable('x.***.y')).toBe(false);
  });
});

describe('coming back', () => {
  test('resumes with the newest token and the last event numbers, and sends what was not taken', async () => {
    const { client, platform, socket, states } = await join();
    const events: VenueEvent[] = [];
    client.on('event', (e) => events.push(e));
    const first = client.use('5', 'left', HAND);
    socket.text({ t: 'ack', seq: 1, tick: 2440, ok: true });
    expect(await first).toMatchObject({ ok: true, tick: 2440 });
    const second = client.message('hello', { a: 1 });
    socket.text({ t: 'door', r: 'ground', n: 12, ts: 1, tick: 2441, door: '8', open: true });
    socket.end(1006);
    expect(client.status.state).toBe('reconnecting');
    const third = client.use('5', 'right', HAND);
    await platform.advance(100);
    expect(platform.socket).not.toBe(socket);
    expect(platform.socket.query.get('token')).toBe('resume-1');
    expect(platform.socket.query.getAll('last')).toEqual(['ground:12']);
    expect(platform.socket.query.has('user')).toBe(false);
    const again = await rejoin(platform, { cursor: 1 });
    expect(client.status).toMatchObject({ state: 'connected', resumed: true, full: false });
    expect(again.sent.map((m) => [m.t, m.n])).toEqual([['msg', 2], ['use', 3]]);
    // What comes again counts once.
    again.text({ t: 'door', r: 'ground', n: 12, ts: 1, tick: 2441, door: '8', open: true });
    again.text({ t: 'door', r: 'ground', n: 13, ts: 1, tick: 2442, door: '8', open: false });
    expect(events.map((e) => e.n)).toEqual([12, 13]);
    again.text({ t: 'ack', seq: 2, tick: 2450, ok: true });
    again.text({ t: 'ack', seq: 3, tick: 2450, ok: false, code: 113, name: 'denied_unknown', msg: 'no' });
    expect(await second).toMatchObject({ ok: true });
    expect(await third).toMatchObject({ ok: false, name: 'denied_unknown', message: 'no' });
    expect(client.session()).toEqual({ token: 'resume-2', last: { ground: 13 }, next: 4 });
    expect(states.map((s) => s.state)).toEqual(['connecting', 'connected', 'lost', 'reconnecting', 'reconnecting', 'connected']);
  });

  test('says that the person speaks, over the next connection too, and what samples tell of optional streams', async () => {
    const { client, platform, socket } = await join();
    client.setSpeaking(true);
    client.setSpeaking(true);
    expect(() => client.setExtras({ gaze: { yaw: NaN, pitch: 0 } })).toThrow('gaze.yaw');
    client.setExtras({ gaze: { yaw: 0, pitch: 0 } });
    await platform.advance(1000);
    expect(socket.texts).toEqual(['{"t":"speaking","on":true}']);
    const gazes = socket.poses.filter((p) => decodePose(p).extras?.gaze).length;
    expect(gazes).toBeGreaterThan(12);
    expect(gazes).toBeLessThan(18);
    socket.end(1006);
    await platform.advance(100);
    const again = await rejoin(platform, {});
    expect(again.texts).toEqual(['{"t":"speaking","on":true}']);
    client.setSpeaking(false);
    expect(again.texts[1]).toBe('{"t":"speaking","on":false}');
  });

  test('entities stay in sight; what the new connection does not tell of goes after a second', async () => {
    const { client, platform, socket } = await join();
    socket.binary(new FrameWriter({ seq: 1, tick: 2440 })
      .enter(1, cup, state({ head: at(1024, 0, 0) })).enter(2, { ...cup, id: '6' }, state()).done());
    const before = client.entities.get('5');
    socket.end(1006);
    expect(client.entities.size).toBe(2);
    await platform.advance(100);
    const again = await rejoin(platform, { tick: 2500 });
    again.binary(new FrameWriter({ seq: 9, tick: 2501 }).enter(7, cup, state({ head: at(2048, 0, 0) })).done());
    expect(client.entities.get('5')).toBe(before);
    expect(client.entities.size).toBe(2);
    again.binary(new FrameWriter({ seq: 10, tick: 2540 }).done());
    expect([...client.entities.keys()]).toEqual(['5']);
  });

  test('keeps trying with growing pauses, says when and why', async () => {
    const { client, platform, socket } = await join();
    socket.text({ t: 'close', code: Code.ServerShutdown, name: 'server_shutdown', msg: 'The server stops.', retry: 'resume' });
    expect(client.status).toMatchObject({ state: 'reconnecting', attempt: 1, nextTryMS: 100, reason: 'The server stops.' });
    for (const [attempt, pause] of [[1, 100], [2, 200], [3, 400]] as const) {
      expect(client.status).toMatchObject({ attempt, nextTryMS: pause });
      await platform.advance(pause);
      platform.socket.end(1006);
      await settle();
    }
    await platform.advance(800);
    await rejoin(platform);
    expect(client.status.state).toBe('connected');
  });

  test('after events were missed it says so, and a resync is passed on', async () => {
    const { client, platform, socket } = await join();
    const events: VenueEvent[] = [];
    client.on('event', (e) => events.push(e));
    socket.text({ t: 'door', r: 'ground', n: 12, ts: 1, tick: 2441, door: '8', open: true });
    socket.text({ t: 'resync', r: 'ground' });
    expect(client.session().last).toEqual({});
    socket.end(1006);
    await platform.advance(100);
    await rejoin(platform, { full: true });
    expect(client.status).toMatchObject({ resumed: true, full: true });
    expect(events.map((e) => e.t)).toEqual(['door', 'resync']);
  });

  test('a session that is gone is joined anew with a token that may be used again', async () => {
    const { client, platform, socket } = await join({ token: MANY, user: 'u-1' });
    const open = client.use('5', 'left', HAND);
    socket.end(1006);
    await platform.advance(100);
    platform.socket.open();
    platform.socket.text({ t: 'close', code: Code.SessionUnknown, msg: 'gone' });
    await platform.advance(200);
    expect(platform.socket.query.get('token')).toBe(MANY);
    expect(platform.socket.query.get('user')).toBe('u-1');
    await rejoin(platform, { resumed: false, session: '78' });
    expect(client.status).toMatchObject({ state: 'connected', resumed: false });
    expect(await open).toMatchObject({ name: 'session_lost' });
  });

  test('a session that is gone asks for a new token, and ends when there is none', async () => {
    let asked = 0;
    const a = await join({ newToken: () => Promise.resolve(`join-${++asked + 1}`) });
    a.socket.end(Code.SessionUnknown, 'gone');
    await a.platform.advance(100);
    expect(a.platform.socket.query.get('token')).toBe('join-2');

    const b = await join();
    b.socket.end(Code.SessionUnknown, 'The session to resume is gone.');
    await settle();
    expect(b.client.status).toMatchObject({ state: 'closed', refused: { name: 'session_unknown', retry: 'new_token' } });
    expect(await b.client.message('x')).toMatchObject({ ok: false, name: 'session_unknown' });
  });

  test.each([[Code.Kicked, 'An admin ended the session.'], [Code.Replaced, 'elsewhere']])('code %i ends it', async (code, msg) => {
    const { client, platform, socket } = await join();
    socket.binary(new FrameWriter({ seq: 1, tick: 2440 }).enter(1, cup, state()).done());
    socket.text({ t: 'close', code, msg, retry: 'no' });
    await settle();
    expect(client.status).toMatchObject({ state: 'closed', reason: msg, refused: { code } });
    expect(client.entities.size).toBe(0);
    expect(platform.timers).toBe(0);
    expect(FakeSocket.all).toHaveLength(1);
  });

  test('a link that brings nothing is given up and resumed', async () => {
    const { client, platform } = await join();
    await platform.advance(6200);
    expect(FakeSocket.all.length).toBe(2);
    await rejoin(platform);
    expect(client.status.state).toBe('connected');
  });

  test('a venue whose data is gone begins its time anew, and samples go on', async () => {
    const { client, platform, socket } = await join({ token: MANY });
    expect(client.serverTimeUS()).toBeGreaterThan(81e6);
    socket.end(Code.SessionUnknown, 'gone');
    await platform.advance(100);
    const again = await rejoin(platform, { resumed: false, time_us: 1_000_000, tick: 30 });
    expect(client.serverTimeUS()).toBeLessThan(2e6);
    again.binary(new FrameWriter({ seq: 1, tick: 31 }).enter(1, cup, state()).done());
    expect(client.playoutTimeUS()).toBeLessThan(2e6);
    await platform.advance(300);
    expect(again.poses.length).toBeGreaterThan(5);
  });

  test('another page resumes a session that it was given', async () => {
    const { client } = await join();
    void client.message('x');
    const session = client.session();
    const { socket } = await join({ session, token: undefined as unknown as string }, { resumed: true, cursor: 1 });
    expect(socket.query.get('token')).toBe('resume-1');
  });
});

describe('inputs', () => {
  test('are numbered and stamped, and what is not taken is sent again in order', async () => {
    const { client, platform, socket } = await join();
    void client.grab('5', 'right', HAND);
    void client.message('a');
    socket.text({ t: 'ack', seq: 1, tick: 0, ok: false, code: Code.RateLimited, name: 'rate_limited' });
    socket.text({ t: 'error', seq: 2, code: Code.OutOfOrder, name: 'out_of_order', msg: '' });
    void client.message('b'); // must not overtake
    expect(socket.sent.map((m) => m.n)).toEqual([1, 2]);
    await platform.advance(500);
    expect(socket.sent.map((m) => m.n)).toEqual([1, 2]);
    await platform.advance(700);
    expect(socket.sent.map((m) => [m.t, m.n])).toEqual([['grab', 1], ['msg', 2], ['grab', 1], ['msg', 2], ['msg', 3]]);
    expect(socket.sent[0]).toEqual({ t: 'grab', n: 1, ts: expect.any(Number) as number, object: '5', hand: 'right', p: [4, 1, 2], q: [0, 0, 0, 1] });
  });

  test('a grab is held at once and let go when denied; who else gets it is shown', async () => {
    const { client, socket } = await join();
    socket.binary(new FrameWriter({ seq: 1, tick: 2440 }).enter(1, cup, state({ head: at(4096, 1024, 2048) })).done());
    const asked = client.grab('5', 'right', HAND);
    await settle();
    expect(client.predictedHolder('5')).toBe('700');
    socket.text({ t: 'ack', seq: 1, tick: 2445, ok: true });
    await settle();
    expect(client.predictedHolder('5')).toBe('700');
    socket.text({ t: 'grabbed', r: 'ground', n: 3, ts: 1, tick: 2446, object: '5', by: '9', hand: 'left' });
    expect(client.predictedHolder('5')).toBe('0');
    socket.text({ t: 'denied', r: 'ground', n: 4, ts: 1, tick: 2446, seq: 1, object: '5', code: 111, name: 'denied_held', msg: 'held' });
    expect(await asked).toMatchObject({ ok: false, name: 'denied_held', message: 'held', tick: 2446 });
    expect(client.predictedHolder('none')).toBe('0');
  });
});

test('what comes in one piece with the welcome is told to the page that listens next', async () => {
  const platform = new FakePlatform();
  const coming = connect({ url: 'https://v', token: 'x', lane: 'ws', platform });
  await settle();
  const { socket } = platform;
  socket.open();
  await settle();
  socket.text(welcome());
  socket.text({ t: 'door', r: 'ground', n: 1 });
  socket.binary(new FrameWriter({ seq: 1, tick: 2440 }).enter(1, cup, state()).done());
  const client = await coming;
  const told: string[] = [];
  client.on('enter', (e) => told.push(e.id));
  client.on('event', (e) => told.push(e.t));
  await platform.advance(0);
  expect(told).toEqual(['door', '5']);
});

describe('leaving', () => {
  test('says goodbye, once, and settles what is open', async () => {
    const { client, platform, socket, states } = await join();
    const open = client.use('5', 'left', HAND);
    await settle();
    await Promise.all([client.leave(), client.leave()]);
    expect(socket.sent.filter((m) => m.t === 'bye')).toHaveLength(1);
    expect(socket.closed).toBe(true);
    expect(platform.timers).toBe(0);
    expect(await open).toMatchObject({ name: 'left' });
    expect(states[states.length - 1]).toMatchObject({ state: 'closed', refused: null });
  });

  test('pagehide leaves by itself, and sends the goodbye before anything is waited for', async () => {
    const { client, platform, socket } = await join();
    platform.hide?.();
    expect(socket.sent.map((m) => m.t)).toEqual(['bye']);
    await settle();
    expect(client.status.state).toBe('closed');
    const stays = await join({ leaveOnPageHide: false });
    expect(stays.platform.hide).toBeNull();
  });

  test('leaving between connections ends the trying', async () => {
    const { client, platform, socket } = await join();
    socket.end(1006);
    await client.leave();
    await platform.advance(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(client.status.state).toBe('closed');
  });

  test('a listener that throws does not keep others from hearing, and one that was removed hears nothing', async () => {
    const { client, socket } = await join();
    const heard: string[] = [];
    const off = client.on('event', (e) => heard.push(`a ${e.t}`));
    client.on('event', (e) => heard.push(`b ${e.t}`));
    socket.text({ t: 'door', r: 'ground', n: 1 });
    off();
    socket.text({ t: 'door', r: 'ground', n: 2 });
    socket.text('no json');
    socket.text({ t: '' });
    expect(heard).toEqual(['a door', 'b door', 'b door']);
  });
});
