/** What is around a visitor this frame, gathered from the client for drawing, choosing and walking. */
import type { Client, Entity, Hand, Joint } from '../../src/index.ts';
import type { Grounds } from './ground.ts';
import { plannedJoint, radiusOf } from './objects.ts';
import type { Target } from './reach.ts';
import type { Doors } from './scene/doors.ts';
import type { Person } from './scene/avatars.ts';
import type { Shown } from './scene/things.ts';
import { plain } from './text.ts';
import type { Kind, Thing, Venue, Vec3 } from './venue.ts';

/** An object that a hand may take, with what is needed to take it. */
export interface Reachable extends Target {
  readonly entity: Entity;
  readonly kind: Kind;
  readonly joint: Joint;
  /** What people call it. */
  readonly label: string;
}

/** What is around, made anew each frame by `see`. */
export class Surroundings {
  readonly people: Person[] = [];
  readonly shown: Shown[] = [];
  readonly reachable: Reachable[] = [];
  /** What the visitor's own hands hold, as it is to be shown: their own grabs before the venue has decided. */
  readonly held: { left?: Reachable; right?: Reachable } = {};
  readonly #client: Client;
  readonly #venue: Venue;
  readonly #grounds: Grounds;
  readonly #doors: Doors;
  readonly #things: ReadonlyMap<string, Thing>;
  readonly #kindOf: ReadonlyMap<string, number>;
  /** Where objects out of sight were seen last: where they are drawn from afar. */
  readonly #remembered = new Map<string, Shown>();
  readonly #sight: number;

  constructor(client: Client, venue: Venue, grounds: Grounds, doors: Doors) {
    this.#client = client;
    this.#venue = venue;
    this.#grounds = grounds;
    this.#doors = doors;
    this.#things = new Map(venue.objects.map((o) => [o.name, o]));
    this.#kindOf = new Map(venue.kinds.map((k, i) => [k.name, i]));
    this.#sight = venue.cell_m;
    for (const s of plannedThings(venue)) this.#remembered.set(s.name, s);
  }

  /** Reads the client's view for a visitor whose head is at `head`. */
  see(head: Vec3): void {
    this.people.length = this.shown.length = this.reachable.length = 0;
    delete this.held.left;
    delete this.held.right;
    const here = new Set<string>();
    const doorsSeen = new Set<number>();
    for (const e of this.#client.entities.values()) {
      if (e.kind === 'avatar') this.people.push({ id: e.id, name: plain(e.name), away: e.state.away, speaking: e.state.speaking, extras: e.extras, body: e.sample() });
      else if (e.kind === 'object') this.#object(e, here);
      else {
        this.#doors.set(e.class, e.state.value, e.state.locked);
        doorsSeen.add(e.class);
      }
    }
    // A door out of sight is drawn closed: nobody near it can say otherwise.
    this.#venue.doors.forEach((d, i) => {
      if (!doorsSeen.has(i)) this.#doors.set(i, 0, d.locked);
    });
    for (const [name, s] of this.#remembered) {
      if (here.has(name)) continue;
      // What was seen last within sight and is not there now has been taken away.
      const far = Math.hypot(s.joint.p[0] - head[0], s.joint.p[2] - head[2]);
      const fixed = this.#venue.kinds[s.class]?.grabbable === false;
      if (far > this.#sight || fixed) this.shown.push(s);
    }
  }

  /** What the visitor calls an object. */
  label(entity: Entity): string {
    return plain(this.#things.get(entity.name)?.label ?? '') || plain(entity.name.replaceAll(/[-_]+/g, ' '));
  }

  #object(e: Entity, here: Set<string>): void {
    const thing = this.#things.get(e.name);
    const index = this.#kindOf.get(this.#client.welcome.kinds[e.class]?.name ?? '') ?? e.class;
    const kind = this.#venue.kinds[index];
    if (kind === undefined) return;
    const joint = e.sample().head;
    const held = e.held;
    const shown: Shown = { name: e.name, class: index, joint, held: held !== null, value: e.state.value };
    here.add(e.name);
    this.shown.push(shown);
    if (held === null) this.#remembered.set(e.name, shown);
    else this.#remembered.delete(e.name);
    if (thing !== undefined && !kind.grabbable) this.#grounds.furniture(e.name, joint);
    if (!kind.grabbable && !kind.usable) return;
    const own = held?.by === this.#client.welcome.entity;
    const item: Reachable = {
      id: e.id, at: joint.p, radius: radiusOf(kind), grabbable: kind.grabbable, usable: kind.usable,
      taken: held !== null, entity: e, kind, joint, label: this.label(e),
    };
    this.reachable.push(item);
    if (own && held !== null) this.held[held.hand satisfies Hand] = item;
  }
}

/** The venue's objects where its manifest puts them. */
export function plannedThings(venue: Venue): Shown[] {
  const shown: Shown[] = [];
  for (const o of venue.objects) {
    const index = venue.kinds.findIndex((k) => k.name === o.kind);
    if (index >= 0) shown.push({ name: o.name, class: index, joint: plannedJoint(o), held: false, value: 0 });
  }
  return shown;
}
