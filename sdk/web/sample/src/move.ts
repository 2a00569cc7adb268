/**
 * Walking: a round body on the ground that bumps into walls, closed doors and furniture, and steps onto what is
 * low. Pure: time comes as seconds, places as metres in venue coordinates.
 */

/** A block on the ground: the middle, half its sides and its turn about y in radians, and its height range. */
export interface Block {
  readonly x: number;
  readonly z: number;
  readonly halfX: number;
  readonly halfZ: number;
  readonly yaw: number;
  readonly bottom: number;
  readonly top: number;
}

/** Where a walker may go: a rectangle of ground, and what stands on it. */
export interface Ground {
  readonly min: readonly [number, number];
  readonly max: readonly [number, number];
  readonly y: number;
  readonly blocks: readonly Block[];
}

/** Radius of a visitor's body, metres. */
export const BODY_RADIUS = 0.25;

/** What is no higher than this above the feet is stepped onto, metres. */
export const STEP_HEIGHT = 0.45;

/** How fast feet rise and fall on a step, metres a second. */
const STEP_SPEED = 2.2;

/** Where a visitor stands: the feet. */
export interface Stand {
  x: number;
  y: number;
  z: number;
}

/** A point in a block's own frame. */
function local(b: Block, x: number, z: number): [number, number] {
  const c = Math.cos(b.yaw);
  const s = Math.sin(b.yaw);
  const dx = x - b.x;
  const dz = z - b.z;
  return [c * dx - s * dz, s * dx + c * dz];
}

/** The way out of a block for a circle at (x, z): how far to move it, or undefined if they do not touch. */
export function pushOut(b: Block, x: number, z: number, radius: number): [number, number] | undefined {
  const [lx, lz] = local(b, x, z);
  const nx = Math.max(-b.halfX, Math.min(b.halfX, lx));
  const nz = Math.max(-b.halfZ, Math.min(b.halfZ, lz));
  let px = lx - nx;
  let pz = lz - nz;
  const d = Math.hypot(px, pz);
  if (d >= radius) return undefined;
  if (d > 1e-9) {
    const f = (radius - d) / d;
    px *= f;
    pz *= f;
  } else {
    // The middle is inside: leave by the nearest side.
    const outX = b.halfX + radius - Math.abs(lx);
    const outZ = b.halfZ + radius - Math.abs(lz);
    px = outX <= outZ ? Math.sign(lx || 1) * outX : 0;
    pz = outX <= outZ ? 0 : Math.sign(lz || 1) * outZ;
  }
  const c = Math.cos(b.yaw);
  const s = Math.sin(b.yaw);
  return [c * px + s * pz, -s * px + c * pz];
}

/** Height of what a visitor with feet at `feet` stands on at (x, z), metres. */
export function groundUnder(ground: Ground, x: number, z: number, feet: number): number {
  let y = ground.y;
  for (const b of ground.blocks) {
    if (b.top > y && b.top - feet <= STEP_HEIGHT) {
      const [lx, lz] = local(b, x, z);
      if (Math.abs(lx) <= b.halfX && Math.abs(lz) <= b.halfZ) y = b.top;
    }
  }
  return y;
}

/** Says whether a block stops a visitor with feet at `feet` and a head `tall` metres above them. */
function stops(b: Block, feet: number, tall: number): boolean {
  return b.top - feet > STEP_HEIGHT && b.bottom - feet < tall;
}

/**
 * Moves a stand by (dx, dz) metres in `dt` seconds, as far as walls and furniture allow: along them, never through.
 * `tall` is the height of the head above the feet in metres.
 */
export function walk(stand: Stand, dx: number, dz: number, dt: number, ground: Ground, tall: number): void {
  const steps = Math.max(1, Math.ceil(Math.hypot(dx, dz) / (BODY_RADIUS * 0.5)));
  for (let i = 0; i < steps; i++) {
    stand.x += dx / steps;
    stand.z += dz / steps;
    // Three rounds settle a corner of two walls.
    for (let round = 0; round < 3; round++) {
      let moved = false;
      for (const b of ground.blocks) {
        if (!stops(b, stand.y, tall)) continue;
        const out = pushOut(b, stand.x, stand.z, BODY_RADIUS);
        if (out === undefined) continue;
        stand.x += out[0];
        stand.z += out[1];
        moved = true;
      }
      if (!moved) break;
    }
    stand.x = Math.max(ground.min[0] + BODY_RADIUS, Math.min(ground.max[0] - BODY_RADIUS, stand.x));
    stand.z = Math.max(ground.min[1] + BODY_RADIUS, Math.min(ground.max[1] - BODY_RADIUS, stand.z));
  }
  const want = groundUnder(ground, stand.x, stand.z, stand.y);
  const most = STEP_SPEED * dt;
  stand.y += Math.max(-most, Math.min(most, want - stand.y));
}

/**
 * How far to go in `dt` seconds: (right, ahead) from -1 to 1 in the frame of a look `yaw` radians about y (0 looks
 * along -z), at `speed` metres a second. Diagonals are no faster. Returns x and z in metres.
 */
export function stride(right: number, ahead: number, yaw: number, speed: number, dt: number): [number, number] {
  const length = Math.hypot(right, ahead);
  const f = (length > 1 ? 1 / length : 1) * speed * dt;
  const c = Math.cos(yaw);
  const s = Math.sin(yaw);
  return [(right * c - ahead * s) * f, (-right * s - ahead * c) * f];
}

/** The leaves of a sliding door as blocks: two halves that part by `open` (0 to 1) of its width. */
export function doorBlocks(
  door: { at: readonly [number, number, number]; width: number; height: number; yaw_deg: number },
  open: number,
): Block[] {
  const half = door.width / 2;
  const leaf = half * (1 - Math.max(0, Math.min(1, open)));
  if (leaf < 0.02) return [];
  const yaw = (door.yaw_deg * Math.PI) / 180;
  const middle = half - leaf / 2;
  return [-1, 1].map((side) => ({
    x: door.at[0] + Math.cos(yaw) * middle * side,
    z: door.at[2] - Math.sin(yaw) * middle * side,
    halfX: leaf / 2,
    halfZ: 0.04,
    yaw,
    bottom: door.at[1],
    top: door.at[1] + door.height,
  }));
}
