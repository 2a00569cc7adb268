/** A visit: from the welcome to the goodbye, frame by frame. */
import { Raycaster, Vector2, Vector3 } from 'three';
import type { Body, Client, Hand, Refused, Status, VenueEvent } from '../../src/index.ts';
import { Controls } from './controls.ts';
import { Grasp } from './grasp.ts';
import { Grounds } from './ground.ts';
import { lookRotation } from './hands.ts';
import { wrap } from './input.ts';
import { type Reachable, Surroundings } from './look.ts';
import { groundUnder, type Ground, stride, walk } from './move.ts';
import type { View } from './scene/view.ts';
import { Tag } from './scene/tags.ts';
import { Self } from './self.ts';
import { Hud } from './ui/hud.ts';
import { Panel } from './ui/panel.ts';
import { floorAt, type Venue, type Vec3 } from './venue.ts';
import { hasHeadset, Headset } from './xr.ts';

/** How fast one walks by a headset's stick, metres a second: slower than by keys, for the stomach. */
const STICK_SPEED = 1.8;

/** A correction by the venue farther than this moves the visitor, metres; nearer ones settle by themselves. */
const CORRECTION = 0.4;

/** What the panel and the top line are refreshed at, seconds. */
const REFRESH = 0.25;

/** One stay in a venue. */
export class Visit {
  readonly self: Self;
  readonly around: Surroundings;
  readonly grasp: Grasp;
  readonly headset: Headset;
  readonly #view: View;
  readonly #venue: Venue;
  readonly #client: Client;
  readonly #hud: Hud;
  readonly #panel: Panel;
  readonly #controls: Controls;
  readonly #grounds: Grounds;
  readonly #word = new Tag('', { height: 0.09, ink: '#ffffff', paper: 'rgba(31,40,64,0.85)', dot: '' });
  #ground: Ground;
  #body: Body;
  #seen: Reachable | undefined;
  #sinceRefresh = 0;
  #toAlign = false;
  #triesAt = 0;
  #stay = '';
  #over: (refused: Refused | null) => void = () => undefined;
  /** Resolves when the visit is over, with why, or null when the visitor left. */
  readonly over = new Promise<Refused | null>((resolve) => {
    this.#over = resolve;
  });

  constructor(view: View, venue: Venue, client: Client, page: HTMLElement) {
    this.#view = view;
    this.#venue = venue;
    this.#client = client;
    this.#grounds = new Grounds(venue);
    this.self = new Self(venue.limits.speed_m_s);
    this.#hud = new Hud(page, venue.name);
    this.#panel = new Panel(this.#hud.root);
    this.around = new Surroundings(client, venue, this.#grounds, view.doors);
    this.grasp = new Grasp(client, venue, this.around, (text) => this.#hud.pass(text));
    const canvas = view.renderer.domElement;
    this.#controls = new Controls(canvas, this.#hud.root, this.self.look, {
      action: (a) => {
        if (a === 'panel') this.#figures();
        else if (a === 'use') this.#use('right');
        else this.#press(a === 'grabLeft' ? 'left' : 'right');
      },
      tap: (x, y, touch) => this.#tap(x, y, touch),
      wheel: (notches) => this.self.reachBy(notches * 0.06),
    });
    this.headset = new Headset(view.renderer, view.rig, {
      grip: (hand, closed) => {
        const joint = this.#body[hand];
        if (!closed) this.grasp.letGo(hand, joint);
        else if (this.grasp.take(hand, () => joint)) this.headset.buzz(hand);
      },
      use: (hand) => this.grasp.use(hand, this.#body[hand]),
      presenting: (on) => this.#presenting(on),
    });
    this.#buttons();
    this.#place(true);
    this.#ground = this.#groundHere();
    this.self.hands({ left: { kind: 'rest' }, right: { kind: 'rest' } }, 0);
    this.#body = this.self.body();
    view.camera.add(this.#word.sprite);
    this.#word.sprite.position.set(0, -0.22, -1.1);
    this.#word.opacity = 0;
    client.on('status', (s) => this.#status(s));
    client.on('event', (e) => this.#event(e));
    view.onFrame = (dt, xr) => this.#frame(dt, xr);
    this.#status(client.status);
    canvas.focus({ preventScroll: true });
  }

  /** The visitor's body as it was sent last. */
  get body(): Body {
    return this.#body;
  }

  /** Ends what belongs to the visit on the page. */
  remove(): void {
    this.#controls.stop();
    this.#word.dispose();
    this.#hud.remove();
    document.documentElement.classList.remove('away');
    void this.headset.leave();
  }

  /** Stands at the place that the venue gave. */
  #place(turn: boolean): void {
    const { place } = this.#client.welcome;
    const floor = floorAt(this.#venue, place.p);
    // A head that was lower than anyone's, as of a bot that crouched, stands up again.
    const tall = place.p[1] - floor.y;
    if (tall > 1.2 && tall < 2.1) this.self.tall = tall;
    this.self.place(place, floor.y, turn);
    this.#toAlign = this.headset.on;
  }

  #groundHere(): Ground {
    const { x, y, z } = this.self.stand;
    return this.#grounds.at([x, y + 0.1, z], (door) => this.#view.doors.openness(door));
  }

  #frame(dt: number, xr: XRFrame | undefined): void {
    this.#ground = this.#groundHere();
    if (xr !== undefined && this.headset.on) this.#moveHeadset(xr, dt);
    else if (!this.headset.on) this.#moveSelf(dt);
    this.#client.setPose(this.#body);
    this.around.see(this.#body.head.p);
    this.#draw(dt);
    this.#sinceRefresh += dt;
    if (this.#sinceRefresh >= REFRESH) {
      this.#sinceRefresh = 0;
      this.#refresh();
    }
  }

  #moveSelf(dt: number): void {
    const { self, grasp } = this;
    this.#controls.step(dt);
    self.step(this.#controls.want(), this.#ground, dt);
    const eyes = self.eyes();
    const q = lookRotation(eyes.yaw, eyes.pitch);
    this.#seen = grasp.lookAt(eyes.at.toArray(), new Vector3(0, 0, -1).applyQuaternion(q).toArray());
    self.hands({ left: grasp.task('left', self, this.#ground), right: grasp.task('right', self, this.#ground) }, dt);
    this.#body = self.body();
    this.#view.camera.position.copy(eyes.at);
    this.#view.camera.quaternion.copy(q);
    this.#hint(eyes.at.toArray());
  }

  #moveHeadset(xr: XRFrame, dt: number): void {
    const { stand, look } = this.self;
    if (this.#toAlign) this.#toAlign = !this.headset.align(xr, stand.x, stand.y, stand.z, look.yaw);
    const before = this.headset.body(xr);
    if (before === undefined) return;
    const head = new Vector3(...before.head.p);
    const [x, y, z, w] = before.head.q;
    look.yaw = wrap(Math.atan2(2 * (w * y + x * z), 1 - 2 * (x * x + y * y)));
    [stand.x, stand.z] = [head.x, head.z];
    const { right, ahead, turn } = this.headset.sticks();
    if (turn !== 0) this.headset.turn(head, turn);
    const speed = Math.min(STICK_SPEED, this.#venue.limits.speed_m_s * 0.8);
    const [dx, dz] = stride(right, ahead, look.yaw, speed, dt);
    if (dx !== 0 || dz !== 0) walk(stand, dx, dz, dt, this.#ground, this.self.tall);
    this.#view.rig.position.x += stand.x - head.x;
    this.#view.rig.position.z += stand.z - head.z;
    this.#view.rig.position.y = stand.y;
    this.#view.rig.updateMatrixWorld(true);
    this.#body = this.headset.body(xr) ?? before;
    this.grasp.touch(this.#body);
    this.#client.setExtras({ fingers: this.headset.fingers(xr) });
  }

  #draw(dt: number): void {
    const v = this.#view;
    const eye = new Vector3(...this.#body.head.p);
    v.blobs.begin();
    const lit = { left: this.headset.on ? this.grasp.target('left')?.entity.name : undefined, right: this.grasp.target('right')?.entity.name };
    v.things.draw(this.around.shown, lit, eye, v.blobs);
    const own = { id: this.#client.welcome.entity, left: this.#body.left, right: this.#body.right };
    v.avatars.draw(this.around.people, own, eye, dt, v.blobs, (x, y, z) => {
      const floor = floorAt(this.#venue, [x, y, z]);
      const ground = floor.y === this.#ground.y ? this.#ground : { ...this.#ground, y: floor.y, blocks: [] };
      return groundUnder(ground, x, z, Math.max(floor.y, y - 1.5));
    });
    v.doors.draw(dt);
    v.blobs.end();
  }

  #hint(eye: Vec3): void {
    const { held } = this.around;
    const coarse = matchMedia('(pointer: coarse)').matches;
    const seen = this.#seen;
    const near = this.grasp.inReach(eye, seen);
    if (held.right !== undefined) {
      const use = held.right.usable ? '  ·  F  use' : '';
      this.#hud.hint(coarse ? '' : 'E', coarse ? `Tap to put ${held.right.label} down` : `put ${held.right.label} down${use}`, false);
    } else if (seen === undefined) this.#hud.hint('', '', false);
    else if (!near) this.#hud.hint('', `${seen.label}: step closer`, false);
    else {
      const verb = seen.grabbable ? 'take' : 'use';
      this.#hud.hint(coarse ? '' : seen.grabbable ? 'E' : 'F', coarse ? `Tap to ${verb} ${seen.label}` : `${verb} ${seen.label}`, true);
    }
  }

  #press(hand: Hand): void {
    const { self } = this;
    this.grasp.press(hand, (target) => {
      if (target === undefined) return self.joint(hand);
      return self.snap(hand, { kind: 'reach', at: new Vector3(...target.at), radius: target.radius });
    });
  }

  #use(hand: Hand): void {
    if (!this.grasp.use(hand, this.self.joint(hand)) && this.#seen?.usable === true) this.#hud.pass('Too far away: step closer.');
  }

  #tap(x: number, y: number, touch: boolean): boolean {
    if (this.around.held.right !== undefined) {
      if (touch) this.#press('right');
      return touch;
    }
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), this.#view.camera);
    const eye = this.self.eyes().at.toArray();
    const meant = this.grasp.lookAt(eye, ray.ray.direction.toArray());
    if (meant === undefined) return false;
    if (!this.grasp.inReach(eye, meant)) {
      if (touch) this.#hud.pass(`${meant.label}: step closer.`);
      return touch;
    }
    this.#press('right');
    return true;
  }

  #buttons(): void {
    this.#hud.button('Figures', 'figures', () => this.#figures());
    void hasHeadset().then((there) => {
      if (!there) return;
      const b = this.#hud.button('Enter VR', 'enter-vr', () => {
        this.headset.enter().catch((e: unknown) => this.#hud.pass(`The headset did not start: ${e instanceof Error ? e.message : String(e)}`));
      });
      b.classList.add('primary');
    });
  }

  #figures(): void {
    this.#panel.toggle();
    this.#refresh();
  }

  #presenting(on: boolean): void {
    if (!on) this.#client.setExtras({});
    if (on) {
      this.#toAlign = true;
      this.#view.camera.position.set(0, 0, 0);
      this.#view.camera.quaternion.identity();
    } else {
      // Back at the desk, one stands where the head was.
      this.#view.rig.position.set(0, 0, 0);
      this.#view.rig.rotation.set(0, 0, 0);
      this.#view.rig.updateMatrixWorld(true);
      this.self.look.pitch = 0;
    }
    this.#hud.root.hidden = on;
  }

  #refresh(): void {
    const stats = this.#client.stats();
    const people = this.around.people.length;
    this.#hud.where(people, stats.lane === 'ws');
    const { intervals } = this.#view;
    this.#panel.show(stats, { fps: intervals.fps(), frameP95: intervals.quantile(0.95), people });
    if (this.#triesAt > 0) this.#lost(this.#client.status);
  }

  #status(s: Status): void {
    const away = s.state === 'lost' || s.state === 'reconnecting';
    document.documentElement.classList.toggle('away', away);
    this.#triesAt = away ? performance.now() + s.nextTryMS : 0;
    if (away) this.#lost(s);
    else {
      this.#hud.banner('');
      this.#word.opacity = 0;
    }
    if (s.state === 'connected' && (s.resumed || s.full)) this.#hud.pass('You are back.');
    if (s.state === 'connected' && this.#stay !== this.#client.welcome.session) {
      // Another session: the venue gave another place.
      if (this.#stay !== '') this.#place(true);
      this.#stay = this.#client.welcome.session;
    }
    if (s.state === 'closed') this.#over(s.refused);
  }

  #lost(s: Status): void {
    const wait = Math.ceil((this.#triesAt - performance.now()) / 1000);
    const next = wait > 0 ? `Trying again in ${wait} s` : 'Trying again now';
    const text = `The connection is lost. ${next}${s.attempt > 1 ? ` (attempt ${s.attempt})` : ''}.`;
    this.#hud.banner(text);
    this.#word.text = text;
    this.#word.opacity = this.headset.on ? 1 : 0;
  }

  #event(e: VenueEvent): void {
    const own = e['entity'] === this.#client.welcome.entity;
    if (e.t === 'teleport' && own) this.#moveTo(e['p'], 0);
    else if (e.t === 'correct') this.#moveTo(e['p'], CORRECTION);
    else if (e.t === 'rule') {
      const data = e['data'];
      const text = typeof data === 'object' && data !== null && 'text' in data ? data.text : undefined;
      if (typeof text === 'string') this.#hud.pass(text);
    }
  }

  /** The venue moved the visitor's head to `p`; by less than `least` metres it is let be. */
  #moveTo(p: unknown, least: number): void {
    if (!Array.isArray(p) || p.length !== 3 || !p.every((c) => typeof c === 'number')) return;
    const [x, y, z] = p as [number, number, number];
    const { stand } = this.self;
    if (Math.hypot(x - stand.x, z - stand.z) < least) return;
    const floor = floorAt(this.#venue, [x, y, z]);
    this.self.place({ p: [x, y, z], q: [0, 0, 0, 1] }, floor.y, false);
    this.#toAlign = this.headset.on;
  }
}
