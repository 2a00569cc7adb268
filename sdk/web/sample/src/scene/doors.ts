/** Doors: a frame, and two leaves of glass that slide apart. */
import { BoxGeometry, type BufferGeometry, Color, Group, Mesh, MeshLambertMaterial, MeshStandardMaterial, type Object3D } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { DoorPlan, Venue } from '../venue.ts';
import { WALL_THICKNESS } from '../walls.ts';
import { palette } from './palette.ts';
import { plate } from './tags.ts';

interface Leaves {
  readonly plan: DoorPlan;
  readonly left: Mesh;
  readonly right: Mesh;
  readonly glass: MeshStandardMaterial;
  /** How open it is drawn, and how open it is, 0 to 1. */
  drawn: number;
  open: number;
  locked: boolean;
}

const clear = new Color(palette.doorLeaf);
const barred = new Color(palette.doorLocked);

/** Draws doors. */
export class Doors {
  readonly #doors: Leaves[];

  constructor(parent: Object3D, venue: Venue) {
    this.#doors = venue.doors.map((plan) => build(parent, venue, plan));
  }

  /** Says how open a door is, permille, by its place in the venue's list. */
  set(index: number, permille: number, locked: boolean): void {
    const d = this.#doors[index];
    if (d === undefined) return;
    d.open = Math.max(0, Math.min(1, permille / 1000));
    d.locked = locked;
  }

  /** How open a door is drawn, 0 to 1. */
  openness(index: number): number {
    return this.#doors[index]?.drawn ?? 0;
  }

  /** Moves the leaves for `dt` seconds: states come in steps, leaves glide. */
  draw(dt: number): void {
    for (const d of this.#doors) {
      d.drawn += (d.open - d.drawn) * (1 - Math.exp(-18 * dt));
      if (Math.abs(d.open - d.drawn) < 0.001) d.drawn = d.open;
      const quarter = d.plan.width / 4;
      // The leaves go into the wall, and leave a grip to be seen.
      const slide = d.drawn * (d.plan.width / 2 - 0.05);
      d.left.position.x = -quarter - slide;
      d.right.position.x = quarter + slide;
      d.glass.color.copy(d.locked ? barred : clear);
    }
  }
}

/** What to write over a door on the side that its normal (0, 0, side) points to: the room beyond. */
function signOf(venue: Venue, plan: DoorPlan, side: 1 | -1): string {
  const yaw = (plan.yaw_deg * Math.PI) / 180;
  // Half a metre through the door, away from whoever reads it.
  const [x, z] = [plan.at[0] - Math.sin(yaw) * 0.5 * side, plan.at[2] - Math.cos(yaw) * 0.5 * side];
  const beyond = venue.rooms.find((r) => r.floor === plan.floor && x > r.min[0] && x < r.max[0] && z > r.min[1] && z < r.max[1]);
  return beyond?.name ?? '';
}

function build(parent: Object3D, venue: Venue, plan: DoorPlan): Leaves {
  const group = new Group();
  group.position.set(...plan.at);
  group.rotation.y = (plan.yaw_deg * Math.PI) / 180;
  const { width: w, height: h } = plan;
  const deep = WALL_THICKNESS + 0.06;
  const frame = joined([
    new BoxGeometry(0.09, h + 0.09, deep).translate(-w / 2 - 0.03, (h + 0.09) / 2, 0),
    new BoxGeometry(0.09, h + 0.09, deep).translate(w / 2 + 0.03, (h + 0.09) / 2, 0),
    new BoxGeometry(w + 0.15, 0.09, deep).translate(0, h + 0.045, 0),
  ]);
  const frameMesh = new Mesh(frame, new MeshLambertMaterial({ color: palette.doorFrame }));
  frameMesh.castShadow = frameMesh.receiveShadow = true;
  group.add(frameMesh);
  const glass = new MeshStandardMaterial({ color: clear, roughness: 0.12, metalness: 0.1, transparent: true, opacity: 0.5 });
  const rail = new MeshLambertMaterial({ color: palette.doorFrame });
  const leaf = (side: -1 | 1): Mesh => {
    const half = w / 2;
    const mesh = new Mesh(new BoxGeometry(half - 0.01, h - 0.01, 0.03).translate(0, h / 2, 0), glass);
    const edge = -side * (half / 2 - 0.02);
    const bars = joined([
      new BoxGeometry(0.035, h - 0.01, 0.045).translate(edge, h / 2, 0),
      new BoxGeometry(half - 0.01, 0.06, 0.045).translate(0, 0.035, 0),
      new BoxGeometry(half - 0.01, 0.05, 0.045).translate(0, h - 0.03, 0),
      new BoxGeometry(0.03, 0.5, 0.11).translate(edge - edge * 0.12, 1.05, 0),
    ]);
    mesh.add(new Mesh(bars, rail));
    group.add(mesh);
    return mesh;
  };
  const left = leaf(-1);
  const right = leaf(1);
  for (const side of [1, -1] as const) {
    const text = signOf(venue, plan, side);
    if (text === '') continue;
    const sign = plate(text, { height: 0.24, ink: '#ffffff', paper: palette.sign, dot: '' });
    sign.position.set(0, h + 0.27, side * (WALL_THICKNESS / 2 + 0.02));
    sign.rotation.y = side === 1 ? 0 : Math.PI;
    group.add(sign);
  }
  parent.add(group);
  return { plan, left, right, glass, drawn: 0, open: 0, locked: plan.locked };
}

function joined(parts: BufferGeometry[]): BufferGeometry {
  const all = mergeGeometries(parts);
  if (all === null) throw new Error('shapes that do not fit together');
  return all;
}
