/** Which object a visitor means: by looking at it, or by holding a hand to it. Pure; metres, venue coordinates. */
import type { Vec3 } from './venue.ts';

/** An object as far as choosing needs it. */
export interface Target {
  readonly id: string;
  /** Its middle. */
  readonly at: Vec3;
  /** Radius of a sphere around it, metres. */
  readonly radius: number;
  readonly grabbable: boolean;
  readonly usable: boolean;
  /** Somebody holds it, and it is not the one who chooses. */
  readonly taken: boolean;
}

/** How far beside an object a gaze may pass and still mean it: radians beyond its own outline. */
const GAZE_SLACK = 0.07;

/** The distance between two points. */
export function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Says whether a target is for a hand at all. */
function wanted(t: Target): boolean {
  return (t.grabbable || t.usable) && !t.taken;
}

/**
 * The object that somebody looks at: of those no farther than `most` metres from the eye whose outline the gaze
 * hits or passes closely, the one nearest to the gaze. `gaze` has length 1.
 */
export function byGaze(targets: Iterable<Target>, eye: Vec3, gaze: Vec3, most: number): Target | undefined {
  let best: Target | undefined;
  let least = Infinity;
  for (const t of targets) {
    if (!wanted(t)) continue;
    const d = distance(eye, t.at);
    if (d > most || d < 1e-6) continue;
    const cos = ((t.at[0] - eye[0]) * gaze[0] + (t.at[1] - eye[1]) * gaze[1] + (t.at[2] - eye[2]) * gaze[2]) / d;
    const angle = Math.acos(Math.max(-1, Math.min(1, cos)));
    if (angle > Math.atan2(t.radius, d) + GAZE_SLACK) continue;
    // Of two that the gaze nearly hits, the nearer one is meant.
    const score = angle + 0.02 * d;
    if (score < least) {
      least = score;
      best = t;
    }
  }
  return best;
}

/** The object that a hand is at: the nearest whose middle is within `most` metres of the hand. */
export function byHand(targets: Iterable<Target>, hand: Vec3, most: number): Target | undefined {
  let best: Target | undefined;
  let least = most;
  for (const t of targets) {
    if (!wanted(t)) continue;
    const d = distance(hand, t.at);
    if (d <= least) {
      least = d;
      best = t;
    }
  }
  return best;
}
