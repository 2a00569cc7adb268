/** What one may walk on and bumps into, of the whole venue. */
import { type Block, doorBlocks, type Ground } from './move.ts';
import { blockOf, plannedJoint } from './objects.ts';
import type { Joint } from '../../src/index.ts';
import { type Floor, floorAt, type Venue, type Vec3 } from './venue.ts';
import { type Wall, WALL_THICKNESS, wallsOf } from './walls.ts';

/** A wall as a block. */
export function wallBlock(wall: Wall): Block {
  const [middle, half] = [(wall.from + wall.to) / 2, (wall.to - wall.from) / 2];
  const along = wall.axis === 'x';
  return {
    x: along ? middle : wall.at, z: along ? wall.at : middle,
    halfX: along ? half : WALL_THICKNESS / 2, halfZ: along ? WALL_THICKNESS / 2 : half,
    yaw: 0, bottom: wall.bottom, top: wall.top,
  };
}

/** Keeps the blocks of every floor. */
export class Grounds {
  readonly #venue: Venue;
  readonly #walls = new Map<string, readonly Block[]>();
  readonly #furniture = new Map<string, { floor: string; block: Block }>();

  constructor(venue: Venue) {
    this.#venue = venue;
    for (const floor of venue.floors) this.#walls.set(floor.name, wallsOf(venue, floor).map(wallBlock));
    for (const o of venue.objects) this.furniture(o.name, plannedJoint(o));
  }

  /** Says where a piece of furniture stands. What can be grabbed is in nobody's way. */
  furniture(name: string, joint: Joint): void {
    const thing = this.#venue.objects.find((o) => o.name === name);
    const kind = this.#venue.kinds.find((k) => k.name === thing?.kind);
    if (thing === undefined || kind === undefined || kind.grabbable) return;
    this.#furniture.set(name, { floor: thing.floor, block: blockOf(kind, joint) });
  }

  /** The floor below a point, with its blocks; `open` says how open each door is, 0 to 1. */
  at(point: Vec3, open: (door: number) => number): Ground {
    const floor: Floor = floorAt(this.#venue, point);
    const blocks: Block[] = [...(this.#walls.get(floor.name) ?? [])];
    for (const f of this.#furniture.values()) if (f.floor === floor.name) blocks.push(f.block);
    this.#venue.doors.forEach((door, i) => {
      if (door.floor === floor.name) blocks.push(...doorBlocks(door, open(i)));
    });
    return { min: floor.min, max: floor.max, y: floor.y, blocks };
  }
}

/**
 * Where a look meets a surface that things can be put on: the ground, or the top of a block. `from` and `way`
 * (length 1) are the look; undefined beyond `most` metres. The point is venue coordinates.
 */
export function surfaceAt(ground: Ground, from: Vec3, way: Vec3, most: number): Vec3 | undefined {
  if (way[1] >= -0.05) return undefined;
  let best: Vec3 | undefined;
  let least = most;
  const meet = (y: number, b?: Block): void => {
    const d = (y - from[1]) / way[1];
    if (d <= 0 || d > least) return;
    const p: Vec3 = [from[0] + way[0] * d, y, from[2] + way[2] * d];
    if (b !== undefined) {
      const [c, s] = [Math.cos(b.yaw), Math.sin(b.yaw)];
      const [dx, dz] = [p[0] - b.x, p[2] - b.z];
      if (Math.abs(c * dx - s * dz) > b.halfX || Math.abs(s * dx + c * dz) > b.halfZ) return;
    }
    best = p;
    least = d;
  };
  meet(ground.y);
  for (const b of ground.blocks) meet(b.top, b);
  return best;
}
