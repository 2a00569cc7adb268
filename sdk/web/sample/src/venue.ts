/**
 * The venue's public description, `GET /v1/venue`: what there is to draw. Lengths are metres in venue coordinates,
 * y up; angles degrees about y, seen from above against the clock.
 */

/** A point or size: x, y, z in metres. */
export type Vec3 = readonly [number, number, number];

/** A point on the ground: x, z in metres. */
export type Vec2 = readonly [number, number];

/** A floor: a rectangle in x and z, from `y` upward for `height` metres. */
export interface Floor {
  readonly name: string;
  readonly min: Vec2;
  readonly max: Vec2;
  readonly y: number;
  readonly height: number;
}

/** A room: a rectangle on a floor. */
export interface Room {
  readonly name: string;
  readonly floor: string;
  readonly min: Vec2;
  readonly max: Vec2;
}

/** A trigger zone: a rectangle on a floor; `door` is the door it opens. */
export interface Zone {
  readonly name: string;
  readonly floor: string;
  readonly min: Vec2;
  readonly max: Vec2;
  readonly door?: string;
}

/** Where visitors appear: a disc on the ground. */
export interface Spawn {
  readonly name: string;
  readonly floor: string;
  readonly at: Vec3;
  readonly radius: number;
  readonly yaw_deg: number;
}

/** A class of objects; `size` is x, y, z in metres, `color` "#rrggbb". */
export interface Kind {
  readonly name: string;
  readonly grabbable: boolean;
  readonly usable: boolean;
  readonly shape: string;
  readonly size: Vec3;
  readonly color: string;
}

/** An object at the place the venue's manifest gives it; `at` is its middle. */
export interface Thing {
  readonly name: string;
  readonly label?: string;
  readonly kind: string;
  readonly floor: string;
  readonly at: Vec3;
  readonly yaw_deg: number;
}

/** A door: `at` is the middle of its leaf, on the ground. Yaw 0: the leaf spans x; 90: it spans z. */
export interface DoorPlan {
  readonly name: string;
  readonly floor: string;
  readonly at: Vec3;
  readonly width: number;
  readonly height: number;
  readonly yaw_deg: number;
  readonly locked: boolean;
  /** The rooms it joins. */
  readonly between?: readonly string[];
}

/** What the venue allows; metres and metres a second. */
export interface Limits {
  readonly users: number;
  readonly speed_m_s: number;
  readonly hand_reach_m: number;
  readonly grab_reach_m: number;
}

/** The description as the page uses it; the host sends more. */
export interface Venue {
  readonly id: string;
  readonly name: string;
  readonly protocol: number;
  /** Side of an interest cell, metres: at least this far everything is in sight. */
  readonly cell_m: number;
  readonly limits: Limits;
  readonly floors: readonly Floor[];
  readonly rooms: readonly Room[];
  readonly zones: readonly Zone[];
  readonly spawns: readonly Spawn[];
  readonly kinds: readonly Kind[];
  readonly objects: readonly Thing[];
  readonly doors: readonly DoorPlan[];
}

const lists = ['floors', 'rooms', 'zones', 'spawns', 'kinds', 'objects', 'doors'] as const;

/**
 * Completes a description that came from the host: lists that are empty there are null. Throws if it is none.
 */
export function readVenue(json: unknown): Venue {
  if (typeof json !== 'object' || json === null || !('floors' in json) || !('limits' in json)) {
    throw new Error('what came from /v1/venue is not the description of a venue');
  }
  const venue: Record<string, unknown> = { ...json };
  for (const list of lists) venue[list] = Array.isArray(venue[list]) ? venue[list] : [];
  if ((venue['floors'] as unknown[]).length === 0) throw new Error('the venue has no floor');
  return venue as unknown as Venue;
}

/** Fetches the description from the host at `base`, such as "https://hall.example". */
export async function fetchVenue(base: string): Promise<Venue> {
  const answer = await fetch(new URL('/v1/venue', base), { cache: 'no-store' });
  if (!answer.ok) throw new Error(`/v1/venue answered ${answer.status}`);
  return readVenue(await answer.json());
}

/** The floor that a point is on: the highest one not above it that it lies over, or the first. */
export function floorAt(venue: Venue, at: Vec3): Floor {
  let best: Floor | undefined;
  for (const f of venue.floors) {
    const over = at[0] >= f.min[0] && at[0] <= f.max[0] && at[2] >= f.min[1] && at[2] <= f.max[1];
    if (over && f.y <= at[1] && (best === undefined || f.y > best.y)) best = f;
  }
  const first = venue.floors[0];
  if (best === undefined && first === undefined) throw new Error('the venue has no floor');
  return (best ?? first) as Floor;
}
