import { personColor } from "./format.ts";
import { type FloorModel, placeAt, type Shown } from "./model.ts";
import type { Area, DoorInfo, Venue } from "./types.ts";
import { type Size, toScreen, type View } from "./view.ts";

/** Colours of the map, from the style sheet. */
export interface Palette { ground: string; room: string; wall: string; zone: string; region: string; text: string; muted: string; grid: string; good: string; bad: string; select: string; outline: string }

/** What is drawn. */
export interface Scene { venue: Venue; floor: string; model: FloorModel; view: View; size: Size; palette: Palette; hover: string; selected: string }

/** Radius of a person, metres. */
export const PERSON_M = 0.3;
/** A person or an object is at least so many pixels in radius, so that it can be seen and hit from far. */
const LEAST_PX = 4;
/** More names than this are shown only where there is room. */
const MANY = 60;

/** Draws the floor, from the ground up. */
export function draw(g: CanvasRenderingContext2D, s: Scene, now: number): void {
  g.clearRect(0, 0, s.size.width, s.size.height);
  ground(g, s);
  const here = [...s.model.things.values()].filter((t) => t.thing.floor === s.floor);
  for (const t of here) if (t.thing.kind === "object" && !t.thing.holder) object(g, s, t, now);
  for (const t of here) if (t.thing.kind === "door") door(g, s, t);
  const people = here.filter((t) => t.thing.kind === "person");
  for (const t of people) person(g, s, t, now);
  for (const t of here) if (t.thing.kind === "object" && t.thing.holder) object(g, s, t, now);
  if (people.length <= MANY || s.view.scale > 30) for (const t of people) name(g, s, t, now);
}

function rect(g: CanvasRenderingContext2D, s: Scene, min: readonly number[], max: readonly number[]): void {
  const [x0, y0] = toScreen(s.view, s.size, min[0]!, min[1]!);
  const [x1, y1] = toScreen(s.view, s.size, max[0]!, max[1]!);
  g.beginPath();
  g.rect(x0, y0, x1 - x0, y1 - y0);
}

function label(g: CanvasRenderingContext2D, s: Scene, a: Area, text: string, color: string): void {
  const width = (a.max[0] - a.min[0]) * s.view.scale;
  g.font = "600 11px system-ui, sans-serif";
  if (g.measureText(text).width > width - 12) return;
  const [x, y] = toScreen(s.view, s.size, a.min[0], a.min[1]);
  g.fillStyle = color;
  g.textAlign = "left";
  g.textBaseline = "top";
  g.fillText(text, x + 7, y + 6);
}

function ground(g: CanvasRenderingContext2D, s: Scene): void {
  const { venue: v, palette: p } = s;
  const floor = v.floors.find((f) => f.name === s.floor);
  if (!floor) return;
  rect(g, s, floor.min, floor.max);
  g.fillStyle = p.ground;
  g.fill();
  grid(g, s, floor.min, floor.max);
  const rooms = v.rooms.filter((r) => r.floor === s.floor);
  for (const r of rooms) {
    rect(g, s, r.min, r.max);
    g.fillStyle = p.room;
    g.fill();
    g.lineWidth = 1.5;
    g.strokeStyle = p.wall;
    g.stroke();
  }
  for (const z of v.zones.filter((z) => z.floor === s.floor)) {
    rect(g, s, z.min, z.max);
    g.globalAlpha = 0.13;
    g.fillStyle = p.zone;
    g.fill();
    g.globalAlpha = 1;
    g.setLineDash([3, 3]);
    g.lineWidth = 1;
    g.strokeStyle = p.zone;
    g.stroke();
    g.setLineDash([]);
    label(g, s, z, z.name, p.zone);
  }
  const regions = v.regions.filter((r) => r.floor === s.floor);
  if (regions.length > 1) {
    for (const r of regions) {
      rect(g, s, r.min, r.max);
      g.setLineDash([9, 5]);
      g.lineWidth = 1.5;
      g.strokeStyle = p.region;
      g.stroke();
      g.setLineDash([]);
    }
  }
  rect(g, s, floor.min, floor.max);
  g.lineWidth = 2;
  g.strokeStyle = p.wall;
  g.stroke();
  for (const sp of v.spawns.filter((x) => x.floor === s.floor)) {
    const [x, y] = toScreen(s.view, s.size, sp.at[0], sp.at[2]);
    g.beginPath();
    g.arc(x, y, Math.max(3, sp.radius * s.view.scale), 0, 2 * Math.PI);
    g.setLineDash([2, 4]);
    g.lineWidth = 1;
    g.strokeStyle = p.muted;
    g.stroke();
    g.setLineDash([]);
  }
  for (const r of rooms) label(g, s, r, r.name, p.muted);
}

// Lines every metre when there is room for them, else every five.
function grid(g: CanvasRenderingContext2D, s: Scene, min: readonly number[], max: readonly number[]): void {
  const step = s.view.scale >= 18 ? 1 : s.view.scale >= 4 ? 5 : 0;
  if (!step) return;
  g.beginPath();
  for (let x = Math.ceil(min[0]! / step) * step; x < max[0]!; x += step) {
    g.moveTo(...toScreen(s.view, s.size, x, min[1]!));
    g.lineTo(...toScreen(s.view, s.size, x, max[1]!));
  }
  for (let z = Math.ceil(min[1]! / step) * step; z < max[1]!; z += step) {
    g.moveTo(...toScreen(s.view, s.size, min[0]!, z));
    g.lineTo(...toScreen(s.view, s.size, max[0]!, z));
  }
  g.lineWidth = 1;
  g.strokeStyle = s.palette.grid;
  g.stroke();
}

function object(g: CanvasRenderingContext2D, s: Scene, t: Shown, now: number): void {
  const kind = s.venue.kinds[t.thing.class ?? -1];
  if (!kind) return;
  const at = placeAt(t, now);
  const [x, y] = toScreen(s.view, s.size, at.x, at.z);
  const grow = kind.grabbable || kind.usable ? Math.max(1, (2 * LEAST_PX) / (Math.max(kind.size[0], kind.size[2]) * s.view.scale)) : 1;
  const w = kind.size[0] * s.view.scale * grow;
  const d = kind.size[2] * s.view.scale * grow;
  g.save();
  g.translate(x, y);
  g.rotate(-at.yaw);
  g.beginPath();
  if (kind.shape === "box") g.rect(-w / 2, -d / 2, w, d);
  else g.ellipse(0, 0, w / 2, d / 2, 0, 0, 2 * Math.PI);
  g.fillStyle = kind.color;
  g.fill();
  g.lineWidth = 1;
  g.strokeStyle = s.palette.outline;
  g.stroke();
  g.restore();
  if (t.thing.holder) ring(g, x, y, Math.max(w, d) / 2 + 2.5, s.palette.good, 1.5);
  mark(g, s, t, x, y, Math.max(w, d) / 2 + 4);
  const text = s.venue.labels[t.thing.name];
  if (text && s.view.scale > 12 && !t.thing.holder) caption(g, s, text, x, y - d / 2 - 4, s.palette.muted, "500 10px system-ui, sans-serif");
}

function door(g: CanvasRenderingContext2D, s: Scene, t: Shown): void {
  const info: DoorInfo | undefined = s.venue.doors[t.thing.class ?? -1];
  if (!info) return;
  const open = Math.min(1, (t.thing.value ?? 0) / 1000);
  const [x, y] = toScreen(s.view, s.size, t.to.x, t.to.z);
  const w = Math.max(8, info.width * s.view.scale);
  const leaf = Math.max(2, w * (1 - open));
  g.save();
  g.translate(x, y);
  g.rotate(-info.yaw);
  g.fillStyle = s.palette.ground;
  g.fillRect(-w / 2, -3, w, 6);
  g.fillStyle = t.thing.locked ? s.palette.bad : open > 0 ? s.palette.good : s.palette.wall;
  // The leaf slides aside.
  g.fillRect(-w / 2, -2.5, leaf, 5);
  g.lineWidth = 1;
  g.strokeStyle = s.palette.wall;
  g.strokeRect(-w / 2, -3, w, 6);
  g.restore();
  mark(g, s, t, x, y, w / 2 + 4);
}

function person(g: CanvasRenderingContext2D, s: Scene, t: Shown, now: number): void {
  const at = placeAt(t, now);
  const [x, y] = toScreen(s.view, s.size, at.x, at.z);
  const r = Math.max(LEAST_PX, PERSON_M * s.view.scale);
  g.globalAlpha = t.thing.away ? 0.4 : 1;
  // Where they look: a wedge ahead.
  g.save();
  g.translate(x, y);
  g.rotate(-at.yaw);
  g.beginPath();
  g.moveTo(-r * 0.75, -r * 0.55);
  g.lineTo(0, -r * 1.9);
  g.lineTo(r * 0.75, -r * 0.55);
  g.closePath();
  g.fillStyle = personColor(t.thing.user ?? t.thing.id);
  g.globalAlpha *= 0.55;
  g.fill();
  g.restore();
  g.globalAlpha = t.thing.away ? 0.4 : 1;
  g.beginPath();
  g.arc(x, y, r, 0, 2 * Math.PI);
  g.fillStyle = personColor(t.thing.user ?? t.thing.id);
  g.fill();
  g.lineWidth = 1.5;
  g.strokeStyle = s.palette.outline;
  g.stroke();
  g.globalAlpha = 1;
  mark(g, s, t, x, y, r + 4);
}

function name(g: CanvasRenderingContext2D, s: Scene, t: Shown, now: number): void {
  const at = placeAt(t, now);
  const [x, y] = toScreen(s.view, s.size, at.x, at.z);
  const r = Math.max(LEAST_PX, PERSON_M * s.view.scale);
  caption(g, s, short(t.thing.name || t.thing.user || t.thing.id), x, y + r + 11, t.thing.away ? s.palette.muted : s.palette.text, "500 10.5px system-ui, sans-serif");
}

/** A name as short as the map can bear it. */
export function short(text: string): string {
  const letters = [...text];
  return letters.length > 18 ? `${letters.slice(0, 17).join("")}…` : text;
}

function caption(g: CanvasRenderingContext2D, s: Scene, text: string, x: number, y: number, color: string, font: string): void {
  g.font = font;
  g.textAlign = "center";
  g.textBaseline = "alphabetic";
  g.lineWidth = 3;
  g.lineJoin = "round";
  g.strokeStyle = s.palette.room;
  g.strokeText(text, x, y);
  g.fillStyle = color;
  g.fillText(text, x, y);
}

function mark(g: CanvasRenderingContext2D, s: Scene, t: Shown, x: number, y: number, r: number): void {
  if (t.thing.id === s.selected) ring(g, x, y, r + 1, s.palette.select, 2.5);
  else if (t.thing.id === s.hover) ring(g, x, y, r, s.palette.select, 1.5);
}

function ring(g: CanvasRenderingContext2D, x: number, y: number, r: number, color: string, width: number): void {
  g.beginPath();
  g.arc(x, y, r, 0, 2 * Math.PI);
  g.lineWidth = width;
  g.strokeStyle = color;
  g.stroke();
}

/** What is under a pixel: the nearest person, else the smallest object or door. Undefined for nothing. */
export function hit(s: Scene, px: number, py: number, now: number): Shown | undefined {
  let best: Shown | undefined;
  let bestScore = Infinity;
  for (const t of s.model.things.values()) {
    if (t.thing.floor !== s.floor) continue;
    const at = placeAt(t, now);
    const [x, y] = toScreen(s.view, s.size, at.x, at.z);
    const r = reach(s, t);
    const d = Math.hypot(px - x, py - y);
    if (d > r + 3) continue;
    const score = t.thing.kind === "person" ? d : 1e4 + r;
    if (score < bestScore) [best, bestScore] = [t, score];
  }
  return best;
}

function reach(s: Scene, t: Shown): number {
  const size = t.thing.kind === "person" ? PERSON_M
    : t.thing.kind === "door" ? (s.venue.doors[t.thing.class ?? -1]?.width ?? 1) / 2
    : Math.max(...(s.venue.kinds[t.thing.class ?? -1]?.size ?? [0.1])) / 2;
  return Math.max(LEAST_PX, size * s.view.scale);
}
