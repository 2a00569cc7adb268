/** What objects are to somebody who walks and reaches. Pure; metres, venue coordinates. */
import type { Joint } from '../../src/index.ts';
import type { Block } from './move.ts';
import type { Kind, Thing } from './venue.ts';

/** The radius of a sphere around an object of a kind, metres. */
export function radiusOf(kind: Kind): number {
  const [x, y, z] = kind.size;
  return kind.shape === 'sphere' ? Math.max(x, y, z) / 2 : Math.hypot(x, y, z) / 2;
}

/** What an object of a kind at a joint is to somebody who walks: a block. Only its turn about y counts. */
export function blockOf(kind: Kind, joint: Joint): Block {
  const [x, y, z, w] = joint.q;
  const yaw = Math.atan2(2 * (w * y + x * z), 1 - 2 * (y * y + x * x));
  return {
    x: joint.p[0], z: joint.p[2], halfX: kind.size[0] / 2, halfZ: kind.size[2] / 2, yaw,
    bottom: joint.p[1] - kind.size[1] / 2, top: joint.p[1] + kind.size[1] / 2,
  };
}

/** Where the venue's manifest puts an object. */
export function plannedJoint(thing: Thing): Joint {
  const half = (thing.yaw_deg * Math.PI) / 360;
  return { p: thing.at, q: [0, Math.sin(half), 0, Math.cos(half)] };
}
