import type { Corner } from "./types.ts";

/** How the ground is laid on the screen: pixel = (metre - centre) * scale + half the size. Seen from above, x to the right, z down. */
export interface View { x: number; z: number; scale: number }

/** A size in pixels. */
export interface Size { width: number; height: number }

const MIN_SCALE = 0.5;
const MAX_SCALE = 400;

/** The view that shows a rectangle whole, with a margin in pixels. */
export function fit(min: Corner, max: Corner, size: Size, margin = 24): View {
  const w = Math.max(1, size.width - 2 * margin);
  const h = Math.max(1, size.height - 2 * margin);
  const scale = Math.min(w / Math.max(0.1, max[0] - min[0]), h / Math.max(0.1, max[1] - min[1]));
  return { x: (min[0] + max[0]) / 2, z: (min[1] + max[1]) / 2, scale: clamp(scale) };
}

function clamp(scale: number): number {
  return Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));
}

/** Where a place on the ground is on the screen, pixels. */
export function toScreen(v: View, size: Size, x: number, z: number): [number, number] {
  return [(x - v.x) * v.scale + size.width / 2, (z - v.z) * v.scale + size.height / 2];
}

/** Which place on the ground a pixel shows, metres. */
export function toGround(v: View, size: Size, px: number, py: number): [number, number] {
  return [(px - size.width / 2) / v.scale + v.x, (py - size.height / 2) / v.scale + v.z];
}

/** The view zoomed by a factor; the place under a pixel stays there. */
export function zoom(v: View, size: Size, factor: number, px: number, py: number): View {
  const [x, z] = toGround(v, size, px, py);
  const scale = clamp(v.scale * factor);
  return { x: x - (px - size.width / 2) / scale, z: z - (py - size.height / 2) / scale, scale };
}

/** The view moved by pixels. */
export function pan(v: View, dx: number, dy: number): View {
  return { ...v, x: v.x - dx / v.scale, z: v.z - dy / v.scale };
}
