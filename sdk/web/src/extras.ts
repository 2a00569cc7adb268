// The optional streams of a person as pages know them, and when samples tell of each.

import type { Curls, Extras, Gaze, Root, Vec3 } from './types.ts';
import {
  CURL_STEPS, GAZE_STEPS, ROOT_SPAN, YAW_STEPS,
  type LatticeExtras, type LatticeFingers, type LatticeGaze, type LatticeRoot,
} from './wire/extras.ts';
import { STEPS } from './wire/lattice.ts';

const TURN = 2 * Math.PI;
const QUARTER = Math.PI / 2;
// How often samples tell of each stream, microseconds: as often as others are told.
const EVERY_US = { gaze: 1e6 / 15, fingers: 1e6 / 10, root: 1e6 / 5 } as const;
// How long the end of one is told: as long as the venue takes to end by itself what nobody tells of any more.
const END_US = 1e6;

type Stream = keyof typeof EVERY_US;
const STREAMS: readonly Stream[] = ['gaze', 'fingers', 'root'];

function finite(v: number, field: string): number {
  if (!Number.isFinite(v)) throw new RangeError(`${field} is ${v}: want a finite number`);
  return v;
}

function clamp(v: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, v));
}

/** What samples say: streams that are left out are not there. Throws a RangeError that names what is no number. */
export function toLatticeExtras(e: Extras): Required<LatticeExtras> {
  return { gaze: e.gaze ? gazeOf(e.gaze) : null, fingers: e.fingers ? fingersOf(e.fingers) : null, root: e.root ? rootOf(e.root) : null };
}

function gazeOf(g: Gaze): LatticeGaze {
  const angle = (v: number, field: string) => clamp(Math.round((finite(v, field) / QUARTER) * GAZE_STEPS), -GAZE_STEPS, GAZE_STEPS - 1);
  return { yaw: angle(g.yaw, 'gaze.yaw'), pitch: angle(g.pitch, 'gaze.pitch') };
}

function fingersOf(f: NonNullable<Extras['fingers']>): LatticeFingers | null {
  const hand = (c: Curls | null | undefined, field: string) => {
    if (!c) return null;
    if (c.length !== 5) throw new RangeError(`${field} has ${(c as readonly number[]).length} fingers: want 5, thumb first`);
    return c.map((v, i) => Math.round(clamp(finite(v, `${field}[${i}]`), 0, 1) * CURL_STEPS));
  };
  const left = hand(f.left, 'fingers.left');
  const right = hand(f.right, 'fingers.right');
  return left || right ? { left, right } : null;
}

function rootOf(r: Root): LatticeRoot {
  const along = (i: 0 | 1 | 2) => clamp(Math.round(finite(r.offset[i], `root.offset[${i}]`) * STEPS), -ROOT_SPAN, ROOT_SPAN - 1);
  const turns = finite(r.yaw, 'root.yaw') / TURN;
  return { off: { x: along(0), y: along(1), z: along(2) }, yaw: Math.round((turns - Math.floor(turns)) * YAW_STEPS) % YAW_STEPS };
}

/** What others say, for pages. */
export function fromLatticeExtras(e: LatticeExtras): Extras {
  const curls = (c: readonly number[] | null) => (c ? (c.map((v) => v / CURL_STEPS) as unknown as Curls) : null);
  return {
    gaze: e.gaze ? { yaw: (e.gaze.yaw / GAZE_STEPS) * QUARTER, pitch: (e.gaze.pitch / GAZE_STEPS) * QUARTER } : null,
    fingers: e.fingers ? { left: curls(e.fingers.left), right: curls(e.fingers.right) } : null,
    root: e.root
      ? { offset: [e.root.off.x / STEPS, e.root.off.y / STEPS, e.root.off.z / STEPS], yaw: (e.root.yaw / YAW_STEPS) * TURN }
      : null,
  };
}

/** Says what samples tell of the optional streams: of each at its own rate, and of its end for a second. */
export class ExtrasPace {
  #now: Required<LatticeExtras> = { gaze: null, fingers: null, root: null };
  readonly #due = { gaze: 0, fingers: 0, root: 0 };
  readonly #ending = { gaze: -Infinity, fingers: -Infinity, root: -Infinity };

  /** Sets what is to be told from a server time on. */
  set(e: Required<LatticeExtras>, atUS: number): void {
    for (const s of STREAMS) if (this.#now[s] && !e[s]) this.#ending[s] = atUS + END_US;
    this.#now = e;
  }

  /** What a sample at a server time tells, one being taken every `periodUS`. */
  take(atUS: number, periodUS: number): LatticeExtras {
    const said: Partial<Record<Stream, unknown>> = {};
    for (const s of STREAMS) {
      const wait = this.#due[s] - atUS;
      if (!this.#now[s] && atUS >= this.#ending[s]) continue;
      if (wait > periodUS / 2 && wait <= EVERY_US[s]) continue;
      said[s] = this.#now[s];
      const next = this.#due[s] + EVERY_US[s];
      const anew = next <= atUS || wait > EVERY_US[s]; // the first, or late; or the clock was put back
      this.#due[s] = anew ? atUS + EVERY_US[s] : next;
    }
    return said as LatticeExtras;
  }
}

const FINGERS = ['thumb', 'index-finger', 'middle-finger', 'ring-finger', 'pinky-finger'] as const;
const PHALANGES = ['metacarpal', 'phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip'] as const;
// By how much the joints of a finger, of a thumb, turn in all when it is bent all the way: radians.
const FULL_FINGER = (220 / 180) * Math.PI;
const FULL_THUMB = (90 / 180) * Math.PI;

/**
 * How far the fingers of a tracked hand are bent. `place` gives where a joint of WebXR's hand input is, by its name (such as
 * `index-finger-tip`), in any one space; null when it is not tracked. Null when a joint is missing.
 */
export function curlsOf(place: (joint: string) => Vec3 | null): Curls | null {
  const curls: number[] = [];
  for (const finger of FINGERS) {
    const thumb = finger === 'thumb';
    let bent = 0;
    let last: Vec3 | null = null;
    let bone: Vec3 | null = null;
    for (const phalanx of PHALANGES) {
      if (thumb && phalanx === 'phalanx-intermediate') continue; // a thumb has none
      const at = place(`${finger}-${phalanx}`);
      if (!at) return null;
      const next: Vec3 | null = last && [at[0] - last[0], at[1] - last[1], at[2] - last[2]];
      if (bone && next) bent += angle(bone, next);
      last = at;
      bone = next;
    }
    curls.push(clamp(bent / (thumb ? FULL_THUMB : FULL_FINGER), 0, 1));
  }
  return curls as unknown as Curls;
}

function angle(a: Vec3, b: Vec3): number {
  const size = Math.hypot(...a) * Math.hypot(...b);
  return size > 0 ? Math.acos(clamp((a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / size, -1, 1)) : 0;
}
