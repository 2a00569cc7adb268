// The pose lane's receiving end: frames in, entities to show out.

import { EntityView, isKnownKind, type Surroundings } from './entity.ts';
import { Grabs } from './grabs.ts';
import { between, relative } from './math.ts';
import { Playout } from './playout.ts';
import type { Body, Entity, Hand, Held, Joint } from './types.ts';
import { View, OP, type FrameHeader, type FrameRecord } from './wire/view.ts';
import type { Ack } from './wire/pose.ts';

// What a resumed connection has not told of this long after its first frame is not there any more.
const UNSEEN_US = 1_000_000;
// Own bodies that frames may refer to by sample number.
const SENT_KEPT = 128;
// How an object is held is learnt from the venue while the hand moves less than this between two samples: metres.
const STILL_HAND = 0.004;
const GRIP_SMOOTHING = 0.2;
const LOSS_WINDOW_US = 5_000_000;

/** What the world needs to know of the client. */
export interface Self {
  /** Server time now, and its best estimate for measuring, microseconds. */
  nowUS(): number;
  estimateUS(): number;
  /** Own avatar. */
  entity(): string;
  /** Own body as it is now. */
  body(): Body | null;
  enter(e: Entity): void;
  leave(e: Entity): void;
}

/** Times of the venue, from the welcome. */
export interface Timeline {
  readonly tick: number;
  readonly t0US: number;
  readonly tickUS: number;
  readonly sendHz: number;
}

/** See the top of the file. */
export class World implements Surroundings {
  readonly entities = new Map<string, EntityView>();
  readonly playout = new Playout();
  readonly grabs = new Grabs();
  readonly #self: Self;
  #view = new View();
  #timeline: Timeline = { tick: 0, t0US: 0, tickUS: 33_333, sendHz: 30 };
  #tick = 0;
  #frontierUS = -Infinity;
  #firstUS: number | null = null; // tick time of the connection's first frame
  #sent: { seq: number; body: Body }[] = [];
  #received: { at: number; lost: number }[] = []; // frames, and how many were missing right before each
  /** The server sends at a reduced rate now. */
  throttled = false;

  constructor(self: Self) {
    this.#self = self;
  }

  /** A connection was welcomed: its pose lane starts anew. Entities stay in sight until it has had time to tell of them. */
  connected(timeline: Timeline, fresh: boolean): void {
    this.#view = new View();
    this.#timeline = timeline;
    this.#tick = timeline.tick;
    this.#firstUS = null;
    this.#received = [];
    this.throttled = false;
    this.playout.restart();
    this.#sent = [];
    if (fresh) {
      this.clear();
      this.#frontierUS = -Infinity;
    }
    for (const e of this.entities.values()) e.restart();
  }

  /** Everything leaves: the session is over. */
  clear(): void {
    this.grabs.forget();
    for (const e of [...this.entities.values()]) this.#remove(e);
  }

  /** What the next sample acknowledges. */
  ack(): Ack | null {
    return this.#view.ack();
  }

  /** Remembers an own body that was sent under a number. */
  sent(seq: number, body: Body): void {
    this.#sent.push({ seq, body });
    if (this.#sent.length > SENT_KEPT) this.#sent.shift();
  }

  /** Takes a frame. Throws a WireError for one that cannot be read. */
  frame(bytes: Uint8Array): void {
    const lost = this.#view.lost;
    const { header, stale, records, extras } = this.#view.apply(bytes);
    const tick = this.#tick + ((header.tick - this.#tick) | 0);
    const tickUS = this.#timeline.t0US + tick * this.#timeline.tickUS;
    if (stale) {
      for (const r of records) if (r.info) this.entities.get(r.info.id)?.update(r.state, tick, tickUS, -Infinity, true);
      return;
    }
    const arrivalUS = this.#self.estimateUS();
    this.#received.push({ at: arrivalUS, lost: this.#view.lost - lost });
    while ((this.#received[0]?.at ?? Infinity) < arrivalUS - LOSS_WINDOW_US) this.#received.shift();
    this.#tick = Math.max(this.#tick, tick);
    this.throttled = header.throttle;
    this.playout.frame(arrivalUS, tickUS);
    const still = this.#frontierUS;
    this.#frontierUS = Math.max(still, tickUS);
    // People first: what they hold moves with them.
    for (const r of records) if (r.op === OP.leave || r.info?.kind === 1) this.#record(r, header, tick, tickUS, still);
    for (const r of records) if (r.op !== OP.leave && r.info?.kind !== 1) this.#record(r, header, tick, tickUS, still);
    for (const { handle } of extras) this.#extras(handle);
    this.#sweep(tickUS);
  }

  #extras(handle: number): void {
    const told = this.#view.extras(handle);
    if (told) this.entities.get(told.id)?.updateExtras(told.extras);
  }

  #record(r: FrameRecord, header: FrameHeader, tick: number, tickUS: number, stillUS: number): void {
    if (!r.info || !isKnownKind(r.info.kind)) return;
    let e = this.entities.get(r.info.id);
    if (r.op === OP.leave) {
      if (e) this.#remove(e);
      return;
    }
    const entered = !e;
    e ??= new EntityView({ ...r.info, kind: r.info.kind }, r.state, this);
    const holder = this.entities.get(r.state.holder);
    const held = e.held;
    e.update(r.state, tick, tickUS, stillUS, false, holder?.shiftUS ?? 0);
    e.unseen = false;
    if (entered) {
      this.entities.set(e.id, e);
      this.#self.enter(e);
    }
    this.#extras(r.handle); // an enter begins anew
    if (e.kind === 'object') this.#held(e, held, header);
  }

  // Takes an object's newest state into account for what is predicted of it.
  #held(e: EntityView, before: Held | null, header: FrameHeader): void {
    const own = this.#self.entity();
    this.grabs.state(e.id, e.holding, own);
    if (before?.by === own && this.held(e)?.by !== own) e.correct(); // it was taken away
    if (e.state.holder !== own || header.poseSeq === null) return;
    const i = this.#sent.findIndex((s) => s.seq === header.poseSeq);
    const now = this.#sent[i]?.body[e.state.hand];
    if (!now) return;
    const grip = relative(now, e.newest);
    const known = this.grabs.grip(e.id);
    const earlier = this.#sent[i - 1]?.body[e.state.hand];
    if (!known) this.grabs.setGrip(e.id, grip);
    else if (earlier && still(earlier, now)) this.grabs.setGrip(e.id, between(known, grip, GRIP_SMOOTHING));
  }

  #remove(e: EntityView): void {
    this.entities.delete(e.id);
    this.grabs.forget(e.id);
    this.#self.leave(e);
  }

  #sweep(tickUS: number): void {
    this.#firstUS ??= tickUS;
    if (tickUS - this.#firstUS < UNSEEN_US) return;
    for (const e of [...this.entities.values()]) if (e.unseen) this.#remove(e);
  }

  nowUS(): number {
    return this.#self.nowUS();
  }

  playoutUS(): number {
    return this.playout.time(this.#self.nowUS());
  }

  frontierUS(): number {
    return this.#frontierUS;
  }

  frameUS(): number {
    return (this.throttled ? 2e6 : 1e6) / this.#timeline.sendHz;
  }

  held(e: EntityView): Held | null {
    return this.grabs.held(e.id, e.holding, this.#self.entity());
  }

  predicted(e: EntityView): Joint | null {
    const playedTick = (this.playoutUS() - this.#timeline.t0US) / this.#timeline.tickUS;
    if (this.grabs.playedOut(e.id, playedTick)) e.correct();
    const released = this.grabs.released(e.id);
    if (released) return released;
    const held = this.held(e);
    if (held?.by !== this.#self.entity()) return null;
    const hand = this.#self.body()?.[held.hand];
    return hand ? this.grabs.inHand(e.id, hand) : null;
  }

  /** Predicts a grab; the result takes the decision, null for none, and corrects what is shown. */
  predictGrab(id: string, hand: Hand, at: Joint): (ok: boolean, tick: number | null) => void {
    const e = this.entities.get(id);
    if (e?.kind !== 'object') return () => undefined;
    const decide = this.grabs.grab(id, hand, relative(at, e.sample().head));
    return (ok, tick) => {
      if (decide(ok, tick)) e.correct();
    };
  }

  /** Predicts a release, likewise. */
  predictRelease(id: string, hand: Hand): (ok: boolean, tick: number | null) => void {
    const e = this.entities.get(id);
    if (e?.kind !== 'object') return () => undefined;
    if (e.held?.by !== this.#self.entity()) return () => undefined;
    const decide = this.grabs.release(id, hand, e.sample().head);
    return (ok, tick) => {
      if (decide(ok, tick)) e.correct();
    };
  }

  /** The event lane told that an avatar got an object. */
  grabbedBy(id: string, by: string): void {
    if (this.grabs.grabbed(id, by, this.#self.entity())) this.entities.get(id)?.correct();
  }

  /** Frames received per second over the last second, and the share that was lost over the last five. */
  reception(): { hz: number; lostRatio: number } {
    const now = this.#self.estimateUS();
    let lost = 0;
    let recent = 0;
    for (const f of this.#received) {
      lost += f.lost;
      if (f.at > now - 1_000_000) recent++;
    }
    const came = this.#received.length;
    return { hz: recent, lostRatio: came + lost === 0 ? 0 : lost / (came + lost) };
  }

  /** How long ago what is shown of others was so, on average, milliseconds. */
  poseAgeMS(): number {
    const ages = [...this.entities.values()].filter((e) => e.kind === 'avatar').map((e) => e.ageMS);
    const mean = ages.length === 0 ? 0 : ages.reduce((sum, a) => sum + a, 0) / ages.length;
    return mean + (this.nowUS() - this.playoutUS()) / 1000;
  }
}

function still(a: Joint, b: Joint): boolean {
  const moved = Math.hypot(a.p[0] - b.p[0], a.p[1] - b.p[1], a.p[2] - b.p[2]);
  const dot = Math.abs(a.q[0] * b.q[0] + a.q[1] * b.q[1] + a.q[2] * b.q[2] + a.q[3] * b.q[3]);
  return moved < STILL_HAND && dot > 0.9999;
}
