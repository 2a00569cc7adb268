/**
 * Where the walls of a floor stand: around its rooms and its edge, with openings for its doors. Pure geometry,
 * for drawing and for bumping into.
 */
import type { DoorPlan, Floor, Venue } from './venue.ts';

/** Thickness of a wall, metres. */
export const WALL_THICKNESS = 0.14;

/** Walls are no higher than this, metres, however high their floor is. */
export const WALL_HEIGHT = 3.6;

/** How far a door may stand from the line of a wall to be in it, metres. */
const DOOR_SLACK = 0.5;

/** A straight piece of wall along an axis. `at` is where it stands on the other axis; heights are venue coordinates. */
export interface Wall {
  readonly axis: 'x' | 'z';
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly bottom: number;
  readonly top: number;
}

interface Span {
  from: number;
  to: number;
}

/** Joins spans that touch or overlap. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const s of [...spans].sort((a, b) => a.from - b.from)) {
    const last = joined[joined.length - 1];
    if (last !== undefined && s.from <= last.to + 1e-6) last.to = Math.max(last.to, s.to);
    else joined.push({ from: s.from, to: s.to });
  }
  return joined;
}

/** Says whether a door's leaf spans x. */
export function spansX(door: DoorPlan): boolean {
  return Math.abs(Math.cos((door.yaw_deg * Math.PI) / 180)) > Math.SQRT1_2;
}

/** Height of a floor's walls above its ground, metres. */
export function wallHeight(floor: Floor): number {
  return Math.min(floor.height, WALL_HEIGHT);
}

/** The walls of a floor. */
export function wallsOf(venue: Venue, floor: Floor): Wall[] {
  const lines = new Map<string, { axis: 'x' | 'z'; at: number; spans: Span[] }>();
  const add = (axis: 'x' | 'z', at: number, from: number, to: number): void => {
    const key = `${axis}${at.toFixed(3)}`;
    const line = lines.get(key) ?? { axis, at, spans: [] };
    line.spans.push({ from, to });
    lines.set(key, line);
  };
  for (const r of [floor, ...venue.rooms.filter((room) => room.floor === floor.name)]) {
    add('x', r.min[1], r.min[0], r.max[0]);
    add('x', r.max[1], r.min[0], r.max[0]);
    add('z', r.min[0], r.min[1], r.max[1]);
    add('z', r.max[0], r.min[1], r.max[1]);
  }
  const doors = venue.doors.filter((d) => d.floor === floor.name);
  const walls: Wall[] = [];
  for (const line of lines.values()) {
    const openings = doors
      .filter((d) => spansX(d) === (line.axis === 'x'))
      .map((d) => (line.axis === 'x' ? { d, across: d.at[2], along: d.at[0] } : { d, across: d.at[0], along: d.at[2] }))
      .filter((o) => Math.abs(o.across - line.at) <= DOOR_SLACK)
      .sort((a, b) => a.along - b.along);
    const top = floor.y + wallHeight(floor);
    for (const span of joinSpans(line.spans)) {
      let from = span.from;
      for (const { d, along } of openings) {
        const left = along - d.width / 2;
        const right = along + d.width / 2;
        if (right <= span.from || left >= span.to) continue;
        if (left > from) walls.push({ axis: line.axis, at: line.at, from, to: left, bottom: floor.y, top });
        const lintel = floor.y + d.height;
        if (lintel < top) {
          const between = { from: Math.max(left, span.from), to: Math.min(right, span.to) };
          walls.push({ axis: line.axis, at: line.at, ...between, bottom: lintel, top });
        }
        from = Math.max(from, right);
      }
      if (from < span.to) walls.push({ axis: line.axis, at: line.at, from, to: span.to, bottom: floor.y, top });
    }
  }
  return walls;
}
