import { Backoff, course, reusable } from './backoff.ts';
import { Clock } from './clock.ts';
import { Connection } from './connection.ts';
import { checkHandInput, checkMessage, encodeHandInput, encodeMessage, text, type Greeting } from './events.ts';
import { ExtrasPace, toLatticeExtras } from './extras.ts';
import { HeadPredictor } from './heading.ts';
import { Inputs } from './inputs.ts';
import { Opener, type Reach, type Ticket } from './link/link.ts';
import { Listeners } from './listeners.ts';
import { compose } from './math.ts';
import { Meter } from './meter.ts';
import { resolve, type Resolved } from './options.ts';
import { Pace } from './pace.ts';
import { reasonOf, Refused } from './refused.ts';
import { undecided, type InputType, type Request } from './requests.ts';
import type {
  Body, Client, ClientEvents, ConnectOptions, Entity, Extras, Hand, Joint, Outcome, Session, Stats, Status, VenueEvent, Welcome,
} from './types.ts';
import { toLattice, type LatticeBody } from './wire/lattice.ts';
import { decodePong, encodePing, encodePose, MSG, STAMP_US, typeOf } from './wire/pose.ts';
import { WireError } from './wire/error.ts';
import { World } from './world.ts';

const LEAVE_MS = 2_000;
const NEW_TIMELINE_US = 5_000_000;
const BYE = '{"t":"bye"}';
const CALM: Status = {
  state: 'connecting', lane: null, attempt: 0, nextTryMS: 0, reason: '', resumed: false, full: false, refused: null,
};

/** See {@link Client}; made by `connect`. */
export class VenueClient implements Client {
  readonly #o: Resolved;
  readonly #opener = new Opener();
  readonly #clock = new Clock();
  readonly #listeners = new Listeners();
  readonly #inputs: Inputs;
  readonly #world: World;
  readonly #ending = new AbortController();
  readonly #heading = new HeadPredictor();
  readonly #sends = new Meter();
  #connection: Connection | null = null;
  #pace: Pace | null = null;
  #timer: unknown;
  #status: Status = CALM;
  #welcome: Welcome | null = null;
  #resume = '';
  #ice: readonly RTCIceServer[] | null = null;
  #body: Body | null = null;
  #lattice: LatticeBody | null = null;
  #posed = false;
  readonly #extras = new ExtrasPace();
  #speaking = false;
  #seq = 0;
  #bytesUp = 0;
  #bytesDown = 0;
  #repairing = false;
  #unreadable: string | null = null;
  #stopWatching: () => void = () => undefined;
  #leaving: Promise<void> | null = null;
  #early: (() => void)[] | null = []; // what came before the page could listen

  constructor(options: ConnectOptions) {
    this.#o = resolve(options);
    this.#resume = options.session?.token ?? '';
    this.#inputs = new Inputs(options.session, {
      localUS: () => this.#local(),
      send: (message) => this.#sendEvent(message),
      event: (m) => this.#onKeyEvent(m),
    });
    this.#world = new World({
      nowUS: () => this.serverTimeUS(),
      estimateUS: () => this.#clock.estimate(this.#local()),
      entity: () => this.#welcome?.entity ?? '',
      body: () => this.#body,
      enter: (e) => this.#listeners.emit('enter', e),
      leave: (e) => this.#listeners.emit('leave', e),
    });
  }

  /** Connects for the first time. Rejects with a Refused. */
  async start(): Promise<void> {
    this.#tell({});
    try {
      if (this.#resume === '' && this.#o.token === undefined) this.#o.token = await this.#o.newToken?.() ?? '';
      await this.#connect(this.#ticket(this.#resume !== ''));
    } catch (e) {
      const refused = e instanceof Refused ? e : this.#unreachable(e);
      this.#tell({ state: 'closed', reason: refused.message, refused });
      throw refused;
    }
    // The page gets to add its listeners first: what comes with the welcome must not be told to nobody.
    this.#o.platform.setTimer(() => this.#listenedTo(), 0);
    if (this.#o.leaveOnPageHide !== false) this.#stopWatching = this.#o.platform.onPageHide(() => void this.leave());
  }

  #listenedTo(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const take of early) take();
  }

  // Takes something that came, at once or, right after joining, once the page can listen.
  #when(take: () => void): void {
    if (this.#early) this.#early.push(take);
    else take();
  }

  #unreachable(e: unknown): Refused {
    return Refused.local('unreachable',
      `No venue could be reached at ${this.#o.url} (${reasonOf(e)}). Check the address and the network, and that the server runs; then try again.`, 'resume');
  }

  // ---- connecting

  #reach(): Reach {
    const { platform, url, lane, setupTimeoutMS } = this.#o;
    return { platform, url, lane, setupMS: setupTimeoutMS, iceServers: this.#ice ?? this.#o.iceServers ?? [] };
  }

  #ticket(resuming: boolean): Ticket {
    const query = new URLSearchParams();
    if (resuming) {
      for (const [region, n] of this.#inputs.last) query.append('last', `${region}:${n}`);
      return { token: this.#resume, query };
    }
    for (const field of ['user', 'name', 'spawn'] as const) {
      const value = this.#o[field];
      if (value) query.set(field, value);
    }
    return { token: this.#o.token ?? '', query };
  }

  async #connect(ticket: Ticket): Promise<void> {
    const connection = await Connection.open(this.#opener, this.#reach(), ticket, {
      heard: (bytes) => {
        this.#bytesDown += bytes;
        this.#pace?.heard(this.#local());
      },
      greet: (g) => this.#greet(g),
      pose: (bytes) => this.#when(() => this.#onPose(bytes)),
      event: (m) => this.#when(() => this.#inputs.take(m)),
      trouble: () => void this.#repair(),
      dead: (cause) => void this.#comeBack(cause),
    }, this.#ending.signal);
    const welcome = this.welcome;
    this.#connection = connection;
    this.#pace = new Pace(welcome, {
      ping: () => this.#send(encodePing(BigInt(Math.floor(this.#local())))),
      sample: () => this.#sample(),
      doubt: () => void this.#repair(),
      giveUp: () => this.#lose(new Error('nothing came for several seconds')),
    }, this.#local());
    this.#inputs.connected();
    if (this.#speaking) this.#tellSpeaking();
    this.#tell({ state: 'connected', lane: connection.link.lane, resumed: welcome.resumed, full: welcome.full });
    this.#step();
  }

  #greet(g: Greeting): void {
    const { welcome } = g;
    if (!this.#inputs.greet(welcome, g.cursor)) {
      throw Refused.local('session_lost', 'The venue lost what this session had done: it can only be joined anew.', 'new_token');
    }
    // A venue whose data is gone begins its time anew; within a session time never goes back.
    if (this.#welcome && !welcome.resumed && welcome.timeUS < this.serverTimeUS() - NEW_TIMELINE_US) {
      this.#clock.reset();
      this.#world.playout.reset();
      this.#heading.clear();
    }
    this.#clock.greet(welcome.timeUS, this.#local());
    this.#welcome = welcome;
    this.#resume = g.resume;
    if (g.iceServers.length > 0) this.#ice = g.iceServers;
    this.#world.connected(welcome, !welcome.resumed);
    if (!this.#posed && !welcome.resumed) this.#take(standing(welcome.place));
  }

  // Comes back after a loss, as its cause allows; the connection that died is closed already.
  async #comeBack(cause: unknown): Promise<void> {
    this.#connection = null;
    this.#pace = null;
    this.#o.platform.clearTimer(this.#timer);
    this.#tell({ state: 'lost', reason: reasonOf(cause) });
    const backoff = new Backoff(this.#o.platform.random);
    let resuming = true;
    let why = cause;
    for (let attempt = 1; !this.#ending.signal.aborted; attempt++) {
      const what = course(why, resuming);
      if (what === 'end') return this.#end(why as Refused);
      if (what === 'new_token') {
        const refused = await this.#renew(why as Refused);
        if (refused) return this.#end(refused);
        resuming = false;
      }
      const pauseMS = backoff.next(why);
      this.#tell({ state: 'reconnecting', attempt, nextTryMS: Math.round(pauseMS), reason: reasonOf(why) });
      if (!(await this.#pause(pauseMS))) return;
      this.#tell({ state: 'reconnecting', attempt, reason: reasonOf(why) });
      try {
        return await this.#connect(this.#ticket(resuming));
      } catch (e) {
        why = e;
      }
    }
  }

  // Gets a token to join anew with; what makes that impossible otherwise.
  async #renew(why: Refused): Promise<Refused | null> {
    try {
      if (this.#o.newToken) {
        this.#o.token = await this.#o.newToken();
        return null;
      }
    } catch (e) {
      return Refused.local('session_lost', `The session is over (${why.message}) and no new token came: ${reasonOf(e)}`, 'new_token');
    }
    return this.#o.token !== undefined && why.name !== 'token_expired' && reusable(this.#o.token) ? null : why;
  }

  #pause(ms: number): Promise<boolean> {
    const { signal } = this.#ending;
    return new Promise((done) => {
      const stop = () => {
        this.#o.platform.clearTimer(timer);
        done(false);
      };
      const timer = this.#o.platform.setTimer(() => {
        signal.removeEventListener('abort', stop);
        done(!signal.aborted);
      }, ms);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  #lose(cause: Error): void {
    this.#connection?.close();
    void this.#comeBack(cause);
  }

  async #repair(): Promise<void> {
    const connection = this.#connection;
    const repair = connection?.link.repair;
    if (!connection || !repair || this.#repairing) return;
    this.#repairing = true;
    this.#tell({ state: 'lost', lane: connection.link.lane, reason: 'The path to the server is interrupted; looking for another.' });
    try {
      await repair();
      if (this.#connection === connection) this.#tell({ state: 'connected', lane: connection.link.lane, resumed: true });
    } catch (e) {
      // A refusal of the repair says nothing of the session: resuming will tell.
      if (this.#connection === connection) this.#lose(new Error(`the connection could not be repaired: ${reasonOf(e)}`));
    } finally {
      this.#repairing = false;
    }
  }

  #end(refused: Refused | null): void {
    this.#ending.abort(refused ?? new Error('the client left'));
    this.#early = null;
    this.#stopWatching();
    this.#o.platform.clearTimer(this.#timer);
    this.#connection = null;
    this.#pace = null;
    this.#inputs.end(refused ?? Refused.local('left', 'The client left the venue.'));
    this.#world.clear();
    this.#tell({ state: 'closed', reason: refused?.message ?? '', refused });
  }

  leave(): Promise<void> {
    this.#leaving ??= this.#goodbye();
    return this.#leaving;
  }

  // What matters is sent before anything is waited for: a page that goes away gets no further.
  async #goodbye(): Promise<void> {
    const connection = this.#connection;
    if (this.#status.state === 'closed') return;
    const said = connection?.link.sendEvent(BYE) ?? false;
    const removed = connection?.link.remove();
    this.#end(null);
    if (!connection) return;
    let timer: unknown;
    const late = new Promise<void>((done) => (timer = this.#o.platform.setTimer(done, LEAVE_MS)));
    await Promise.race([Promise.all([said ? connection.link.flush() : undefined, removed]), late]);
    this.#o.platform.clearTimer(timer);
    connection.close();
  }

  // ---- sending

  #local(): number {
    return this.#o.platform.now() * 1000;
  }

  #step(): void {
    const pace = this.#pace;
    if (!pace) return;
    const local = this.#local();
    const wait = pace.step(local, this.#clock.current(local));
    this.#inputs.repeat();
    if (this.#pace !== pace) return;
    this.#timer = this.#o.platform.setTimer(() => this.#step(), wait / 1000);
  }

  #send(bytes: Uint8Array<ArrayBuffer>): boolean {
    const sent = this.#connection?.link.sendPose(bytes) ?? false;
    if (sent) this.#bytesUp += bytes.length;
    return sent;
  }

  #sendEvent(message: string): void {
    if (this.#connection?.link.sendEvent(message)) this.#bytesUp += message.length;
  }

  #sample(): void {
    const now = this.serverTimeUS();
    this.#askPose(now);
    if (!this.#body || !this.#lattice) return;
    this.#seq = (this.#seq + 1) & 0xffff;
    const pose = {
      seq: this.#seq, stamp: Math.floor(now / STAMP_US) % 2 ** 32, ack: this.#world.ack(), body: this.#lattice,
      extras: this.#extras.take(now, 1e6 / this.welcome.uploadHz),
    };
    if (!this.#send(encodePose(pose))) return;
    this.#world.sent(this.#seq, this.#body);
    this.#sends.tick(this.#o.platform.now());
  }

  // A pose that the page fails to give is reported as uncaught, and the last one stays: the lanes go on.
  #askPose(nowUS: number): void {
    try {
      if (this.#o.pose) this.setPose(this.#o.pose(nowUS, this.welcome));
    } catch (e) {
      queueMicrotask(() => {
        throw e;
      });
    }
  }

  setPose(body: Body): void {
    this.#take(body);
    this.#posed = true;
  }

  setExtras(extras: Extras): void {
    this.#extras.set(toLatticeExtras(extras), this.serverTimeUS());
  }

  setSpeaking(on: boolean): void {
    if (on === this.#speaking) return;
    this.#speaking = on;
    this.#tellSpeaking();
  }

  #tellSpeaking(): void {
    this.#sendEvent(JSON.stringify({ t: 'speaking', on: this.#speaking }));
  }

  #take(body: Body): void {
    this.#lattice = { head: toLattice(body.head, 'head'), left: toLattice(body.left, 'left'), right: toLattice(body.right, 'right') };
    this.#body = body;
    this.#heading.add(this.serverTimeUS(), body.head);
  }

  // ---- receiving

  #onPose(bytes: Uint8Array): void {
    try {
      if (typeOf(bytes) === MSG.pong) {
        const p = decodePong(bytes);
        this.#clock.sample(Number(p.t0), Number(p.t1), Number(p.t2), this.#local());
      } else {
        this.#world.frame(bytes);
      }
    } catch (e) {
      if (!(e instanceof WireError)) throw e;
      // Each would be the same again: said once.
      if (this.#unreadable !== e.message) this.#listeners.emit('event', { t: 'error', code: e.code, field: e.field, msg: e.message });
      this.#unreadable = e.message;
    }
  }

  #onKeyEvent(m: VenueEvent): void {
    if (m.t === 'grabbed') this.#world.grabbedBy(text(m, 'object'), text(m, 'by'));
    this.#listeners.emit('event', m);
  }

  // ---- what the page asks and does

  get welcome(): Welcome {
    if (!this.#welcome) throw new Error('the venue has not welcomed the client yet');
    return this.#welcome;
  }

  get entities(): ReadonlyMap<string, Entity> {
    return this.#world.entities;
  }

  get status(): Status {
    return this.#status;
  }

  serverTimeUS(): number {
    return this.#clock.now(this.#local());
  }

  playoutTimeUS(): number {
    return this.#world.playoutUS();
  }

  grab(id: string, hand: Hand, joint: Joint): Promise<Outcome> {
    return this.#handInput('grab', id, hand, joint, () => this.#world.predictGrab(id, hand, joint));
  }

  release(id: string, hand: Hand, joint: Joint): Promise<Outcome> {
    return this.#handInput('release', id, hand, joint, () => this.#world.predictRelease(id, hand));
  }

  use(id: string, hand: Hand, joint: Joint): Promise<Outcome> {
    return this.#handInput('use', id, hand, joint, () => null);
  }

  async #handInput(
    t: 'grab' | 'release' | 'use', id: string, hand: Hand, joint: Joint, predict: () => ((ok: boolean, tick: number | null) => void) | null,
  ): Promise<Outcome> {
    checkHandInput(id, hand, joint);
    return this.#ask(t, (n, at) => encodeHandInput(t, n, at, id, hand, joint), (request) => {
      const decided = predict();
      request.onDecision = (d) => decided?.(d?.ok ?? false, d?.tick ?? null);
    });
  }

  async message(topic: string, data?: unknown): Promise<Outcome> {
    checkMessage(topic, data);
    return this.#ask('msg', (n, at) => encodeMessage(n, at, topic, data));
  }

  // What cannot be asked any more has an outcome too: only what is not well formed is an exception.
  async #ask(t: InputType, write: (n: number, atUS: number) => string, booked: (r: Request) => void = () => undefined): Promise<Outcome> {
    const at = this.serverTimeUS();
    try {
      const request = this.#inputs.add(t, (n) => write(n, at));
      booked(request);
      return await request.outcome;
    } catch (e) {
      if (e instanceof Refused) return undecided(e);
      throw e;
    }
  }

  predictedHolder(id: string): string {
    return this.#world.entities.get(id)?.held?.by ?? '0';
  }

  headPrediction(id?: string, aheadMS?: number): Joint | null {
    if (id === undefined || id === this.#welcome?.entity) {
      return this.#heading.at(this.serverTimeUS() + (aheadMS ?? this.#o.predictOwnHead) * 1000);
    }
    return this.#world.entities.get(id)?.headAt(this.playoutTimeUS() + (aheadMS ?? 0) * 1000) ?? null;
  }

  on<T extends keyof ClientEvents>(type: T, fn: (event: ClientEvents[T]) => void): () => void {
    return this.#listeners.on(type, fn);
  }

  stats(): Stats {
    const { hz, lostRatio } = this.#world.reception();
    const rttUS = this.#clock.rttUS;
    return {
      rttMS: rttUS === null ? null : rttUS / 1000, offsetUS: this.#clock.offsetUS,
      sendHz: this.#sends.perSecond(this.#o.platform.now()), receivedHz: hz, lostRatio,
      poseAgeMS: this.#world.poseAgeMS(), playoutMS: this.#world.playout.delayUS / 1000,
      visible: this.#world.entities.size, lane: this.#connection?.link.lane ?? null,
      bytesUp: this.#bytesUp, bytesDown: this.#bytesDown, throttled: this.#world.throttled,
    };
  }

  session(): Session {
    return { token: this.#resume, last: Object.fromEntries(this.#inputs.last), next: this.#inputs.next };
  }

  #tell(change: Partial<Status>): void {
    this.#status = { ...CALM, ...change };
    this.#o.onStatus?.(this.#status);
    this.#listeners.emit('status', this.#status);
  }
}

// A body with its head at a place and the hands hanging.
function standing(head: Joint): Body {
  const hand = (x: number): Joint => compose(head, { p: [x, -0.6, -0.125], q: [0, 0, 0, 1] });
  return { head, left: hand(-0.2), right: hand(0.2) };
}
