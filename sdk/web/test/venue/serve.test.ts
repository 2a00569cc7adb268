// The client under Node, over the WebSocket lane, in a real venue with a Go bot in it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';
import { connect, Refused, type Body, type Client, type ConnectOptions, type Entity, type Status, type Vec3, type VenueEvent } from '../../src/index.ts';
import { bots, build, folder, serve, type Server } from '../support/server.ts';
import { until } from '../support/wait.ts';

// As a page's: with an origin, so that a refusal comes as a close code that a script can read.
const WebSocket = class extends NodeWebSocket {
  constructor(url: string) {
    super(url, { origin: new URL(url).origin.replace(/^ws/, 'http') });
  }
} as unknown as typeof globalThis.WebSocket;
const dir = folder();
let binary: string;
let server: Server;
let stopBots: () => Promise<void> = () => Promise.resolve();
const open: Client[] = [];
const running: Server[] = [];

async function start(...args: Parameters<typeof serve>): Promise<Server> {
  const s = await serve(...args);
  running.push(s);
  return s;
}

beforeAll(async () => {
  binary = build('./cmd/venued', dir.path);
  server = await start(binary, `${dir.path}/data`);
});

afterAll(async () => {
  await Promise.all(open.map((c) => c.leave()));
  await stopBots();
  await Promise.all(running.map((s) => s.stop()));
  dir.remove();
});

async function join(options: Partial<ConnectOptions> = {}): Promise<Client> {
  const c = await connect({ url: server.url, token: server.token, lane: 'ws', platform: { WebSocket }, ...options });
  open.push(c);
  return c;
}

const UPRIGHT = [0, 0, 0, 1] as const;

function body(p: Vec3, hand?: Vec3): Body {
  return {
    head: { p, q: UPRIGHT },
    left: { p: [p[0] - 0.2, p[1] - 0.6, p[2]], q: UPRIGHT },
    right: { p: hand ?? [p[0] + 0.2, p[1] - 0.6, p[2]], q: UPRIGHT },
  };
}

/** A walker: its pose callback moves the head toward a goal at four metres a second. */
class Walker {
  head: Vec3 = [0, 1.65, 0];
  hand: Vec3 | undefined;
  goal: Vec3 | undefined;
  #lastUS = 0;

  readonly pose = (timeUS: number): Body => {
    const step = this.#lastUS === 0 ? 0 : Math.min(0.2, ((timeUS - this.#lastUS) / 1e6) * 4);
    this.#lastUS = timeUS;
    if (this.goal) {
      const [dx, dz] = [this.goal[0] - this.head[0], this.goal[2] - this.head[2]];
      const d = Math.hypot(dx, dz);
      const f = d <= step ? 1 : step / d;
      this.head = [this.head[0] + dx * f, this.head[1], this.head[2] + dz * f];
    }
    return body(this.head, this.hand);
  };

  get there(): boolean {
    return this.goal !== undefined && Math.hypot(this.goal[0] - this.head[0], this.goal[2] - this.head[2]) < 0.01;
  }
}

async function visitor(user: string, spawn = 'workshop'): Promise<{ client: Client; walker: Walker }> {
  const walker = new Walker();
  let placed = false;
  const client: Client = await join({
    user, name: user, spawn,
    pose: (t) => {
      if (!placed) {
        walker.head = client.welcome.place.p;
        placed = true;
      }
      return walker.pose(t);
    },
  });
  return { client, walker };
}

/** Walks to the bench of the example venue's workshop and on to the nearest free object there, and puts the hand on it. */
async function toObject(client: Client, walker: Walker): Promise<Entity> {
  await until('the place', () => walker.head[0] !== 0);
  walker.goal = [33, walker.head[1], 9];
  await until('the walk to the bench', () => walker.there);
  const grabbable = (e: Entity) => e.kind === 'object' && client.welcome.kinds[e.class]?.grabbable === true && e.state.holder === '0';
  const far = (e: Entity) => Math.hypot(e.sample().head.p[0] - walker.head[0], e.sample().head.p[2] - walker.head[2]);
  const object = await until('an object that can be grabbed', () =>
    [...client.entities.values()].filter(grabbable).sort((a, b) => far(a) - far(b))[0]);
  const p = object.sample().head.p;
  walker.goal = [p[0] + 0.4, walker.head[1], p[2]];
  await until('the walk', () => walker.there);
  walker.hand = p;
  return object;
}

test('it sees a bot move', async () => {
  stopBots = bots(binary, server, 12);
  const { client } = await visitor('onlooker', 'entrance');
  const avatar = await until('an avatar', () => [...client.entities.values()].find((e) => e.kind === 'avatar' && e.name !== ''));
  const from = avatar.sample().head.p;
  await until('the avatar to move', () => Math.hypot(avatar.sample().head.p[0] - from[0], avatar.sample().head.p[2] - from[2]) > 0.5);
  await until('figures', () => client.stats().sendHz > 20 && client.stats().receivedHz > 20 && client.stats().rttMS !== null);
  const s = client.stats();
  expect(s.lane).toBe('ws');
  expect(s.visible).toBe(client.entities.size);
  expect(s.playoutMS).toBeLessThanOrEqual(200);
  expect(client.playoutTimeUS()).toBeLessThan(client.serverTimeUS());
  await client.leave();
});

test('a grab is shown at once, granted, carried, released, and everybody agrees', async () => {
  const a = await visitor('ada');
  const b = await visitor('bob');
  const object = await toObject(a.client, a.walker);
  b.walker.goal = [32, 1.65, 9];
  await until('the other\'s walk', () => b.walker.there);
  const events: VenueEvent[] = [];
  b.client.on('event', (e) => events.push(e));
  const at = { p: object.sample().head.p, q: UPRIGHT };
  await until('the hand to be known to the venue', () => a.client.stats().sendHz > 0);

  const asked = a.client.grab(object.id, 'right', at);
  expect(a.client.predictedHolder(object.id)).toBe(a.client.welcome.entity);
  expect(object.held).toEqual({ by: a.client.welcome.entity, hand: 'right', predicted: true });
  const outcome = await asked;
  expect(outcome).toMatchObject({ ok: true });
  await outcome.durable;
  await until('the state to say so', () => object.state.holder === a.client.welcome.entity && object.held?.predicted === false);
  await until('the event at the other', () => events.find((e) => e.t === 'grabbed' && e['object'] === object.id));
  const seen = await until('the object at the other', () => b.client.entities.get(object.id));
  await until('the holder at the other', () => seen.held?.by === a.client.welcome.entity);

  // In the own hand it moves with it at once.
  a.walker.hand = [at.p[0] + 0.1, at.p[1] + 0.1, at.p[2]];
  a.client.setPose(body(a.walker.head, a.walker.hand));
  expect(object.sample().head.p[1]).toBeCloseTo(at.p[1] + 0.1, 1);
  await until('the other to see it carried', () => seen.sample().head.p[1] > at.p[1] + 0.05);

  const let_go = await a.client.release(object.id, 'right', { p: a.walker.hand, q: UPRIGHT });
  expect(let_go.ok).toBe(true);
  await until('it to be free at both', () => object.held === null && seen.held === null);
  await Promise.all([a.client.leave(), b.client.leave()]);
});

test('a grab out of reach is taken back', async () => {
  const { client, walker } = await visitor('far');
  const object = await toObject(client, walker);
  walker.goal = [walker.head[0] + 4, 1.65, walker.head[2]];
  walker.hand = undefined;
  await until('the walk', () => walker.there);
  const asked = client.grab(object.id, 'left', client.headPrediction() ?? { p: walker.head, q: UPRIGHT });
  expect(object.held?.by).toBe(client.welcome.entity);
  const outcome = await asked;
  expect(outcome).toMatchObject({ ok: false, name: 'denied_reach' });
  expect(outcome.message).not.toBe('');
  expect(object.held).toBeNull();
  await client.leave();
});

test('who leaves is gone for others, and leaving twice is fine', async () => {
  const a = await visitor('stay');
  const b = await visitor('go');
  const own = b.client.welcome.entity;
  await until('the other to be seen', () => a.client.entities.has(own));
  const left: string[] = [];
  a.client.on('leave', (e) => left.push(e.id));
  await Promise.all([b.client.leave(), b.client.leave()]);
  expect(b.client.status).toMatchObject({ state: 'closed', reason: '', refused: null });
  await until('the other to be gone', () => left.includes(own));
  expect(await b.client.message('late')).toMatchObject({ ok: false, name: 'left' });
  await a.client.leave();
});

test('a server that is killed and comes back is resumed or joined anew', async () => {
  const own = folder();
  let second = await start(binary, own.path);
  const { port } = new URL(second.url);
  const states: Status[] = [];
  const client = await join({ url: second.url, token: second.token, user: 'patient', onStatus: (s) => states.push(s) });
  await second.stop();
  await until('the loss', () => client.status.state === 'reconnecting');
  expect(client.status.reason).not.toBe('');
  second = await start(binary, own.path, `127.0.0.1:${port}`);
  await until('the connection', () => client.status.state === 'connected');
  await until('frames', () => client.stats().receivedHz > 0);
  expect(states.map((s) => s.state)).toEqual(expect.arrayContaining(['connecting', 'connected', 'lost', 'reconnecting']));
  await client.leave();
  await second.stop();
  own.remove();
});

test('refusals say what is wrong', async () => {
  const refused = await join({ token: 'nonsense' }).catch((e: unknown) => e);
  expect(refused).toBeInstanceOf(Refused);
  expect(refused).toMatchObject({ name: 'token_invalid', code: 4000, retry: 'no' });

  const nobody = await join({ url: 'http://127.0.0.1:9', setupTimeoutMS: 5000 }).catch((e: unknown) => e);
  expect(nobody).toMatchObject({ name: 'unreachable', retry: 'resume' });
  expect((nobody as Refused).message).toContain('http://127.0.0.1:9');
});
