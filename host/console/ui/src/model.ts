import type { MapChange, MapState, Thing } from "./types.ts";

/** How long a move takes on the screen, milliseconds: a little more than the time between two changes, so that people walk and do not step. */
export const GLIDE_MS = 160;

/** Where a thing is on the ground: x and z in metres, yaw in radians about y. */
export interface Place { x: number; z: number; yaw: number }

/** A thing with the way that it is on. */
export interface Shown { thing: Thing; from: Place; to: Place; since: number }

const TURN = 2 * Math.PI;

/** The turn from a to b, radians, the short way round. */
export function turn(a: number, b: number): number {
  const d = (((b - a) % TURN) + TURN) % TURN;
  return d > Math.PI ? d - TURN : d;
}

/** Where a thing is shown at a time (milliseconds, of the clock that the changes were given with). */
export function placeAt(s: Shown, now: number): Place {
  const t = Math.min(1, Math.max(0, (now - s.since) / GLIDE_MS));
  return {
    x: s.from.x + (s.to.x - s.from.x) * t,
    z: s.from.z + (s.to.z - s.from.z) * t,
    yaw: s.from.yaw + turn(s.from.yaw, s.to.yaw) * t,
  };
}

/** A jump of more than this is not shown as a way, metres. */
const JUMP_M = 3;

/** Everybody and everything on the map. */
export class FloorModel {
  /** By id. */
  readonly things = new Map<string, Shown>();
  #moved = -Infinity;

  /** Takes the whole map. */
  set(state: MapState, now: number): void {
    this.things.clear();
    for (const t of state.things) this.#put(t, now);
    this.#moved = now;
  }

  /** Takes a change at a time. */
  change(c: MapChange, now: number): void {
    for (const id of c.gone) this.things.delete(id);
    for (const t of c.changed) this.#put(t, now);
    for (const m of c.moved) {
      const s = this.things.get(m.id);
      if (s) this.#put({ ...s.thing, p: m.p, yaw: m.yaw }, now);
    }
    this.#moved = now;
  }

  /** Whether anything is still on its way, or has just changed. */
  lively(now: number): boolean {
    return now - this.#moved <= GLIDE_MS;
  }

  /** How many people are there. */
  people(): number {
    let n = 0;
    for (const s of this.things.values()) if (s.thing.kind === "person") n++;
    return n;
  }

  /** What a person holds. */
  heldBy(id: string): Thing[] {
    return [...this.things.values()].map((s) => s.thing).filter((t) => t.holder === id);
  }

  #put(thing: Thing, now: number): void {
    const to: Place = { x: thing.p[0], z: thing.p[2], yaw: thing.yaw };
    const old = this.things.get(thing.id);
    let from = old ? placeAt(old, now) : to;
    if (Math.hypot(to.x - from.x, to.z - from.z) > JUMP_M) from = to;
    this.things.set(thing.id, { thing, from, to, since: now });
  }
}
