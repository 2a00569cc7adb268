/** Keys, pointer and touch, as what a visitor wants to do. Pure: no DOM. */

/** What a key does once, when it goes down. */
export type Action = 'grabRight' | 'grabLeft' | 'use' | 'panel';

/** What the keys and the stick want at a moment; right and ahead are -1 to 1. */
export interface Want {
  readonly right: number;
  readonly ahead: number;
  readonly turn: number;
  readonly run: boolean;
}

const moves: Readonly<Record<string, readonly [right: number, ahead: number]>> = {
  KeyW: [0, 1],
  ArrowUp: [0, 1],
  KeyS: [0, -1],
  ArrowDown: [0, -1],
  KeyA: [-1, 0],
  KeyD: [1, 0],
};

const turns: Readonly<Record<string, number>> = { ArrowLeft: 1, ArrowRight: -1 };

const actions: Readonly<Record<string, Action>> = { KeyE: 'grabRight', KeyQ: 'grabLeft', KeyF: 'use', KeyH: 'panel' };

/** What a key, named as `KeyboardEvent.code`, does when it goes down; undefined for none or a key for walking. */
export function actionOf(code: string): Action | undefined {
  return Object.hasOwn(actions, code) ? actions[code] : undefined;
}

/** Says whether a key is one of the page's, so that it must not scroll. */
export function isOurs(code: string): boolean {
  return [moves, turns, actions].some((map) => Object.hasOwn(map, code));
}

/** The keys that are down. */
export class Keys {
  readonly #down = new Set<string>();

  /** A key went down; true the first time, false when it repeats. */
  press(code: string): boolean {
    if (this.#down.has(code)) return false;
    this.#down.add(code);
    return true;
  }

  /** A key went up. */
  lift(code: string): void {
    this.#down.delete(code);
  }

  /** All keys are up: the window lost the focus, and their going up would not be heard. */
  clear(): void {
    this.#down.clear();
  }

  /** What the keys want now. Opposite keys cancel out. */
  want(): Want {
    let right = 0;
    let ahead = 0;
    let turn = 0;
    for (const code of this.#down) {
      const move = Object.hasOwn(moves, code) ? moves[code] : undefined;
      right += move?.[0] ?? 0;
      ahead += move?.[1] ?? 0;
      turn += (Object.hasOwn(turns, code) ? turns[code] : undefined) ?? 0;
    }
    const unit = (v: number): number => Math.max(-1, Math.min(1, v));
    const run = this.#down.has('ShiftLeft') || this.#down.has('ShiftRight');
    return { right: unit(right), ahead: unit(ahead), turn: unit(turn), run };
  }
}

/** Radius of the virtual stick, pixels. */
export const STICK_RADIUS = 52;

/** Part of the radius that means nothing: fingers tremble. */
const STICK_DEAD = 0.15;

/** A thumb on the virtual stick, moved by (dx, dy) pixels (y down), as right and ahead, each -1 to 1. */
export function stick(dx: number, dy: number): { right: number; ahead: number } {
  const length = Math.hypot(dx, dy) / STICK_RADIUS;
  if (length < STICK_DEAD) return { right: 0, ahead: 0 };
  const f = (Math.min(1, length) - STICK_DEAD) / (1 - STICK_DEAD) / (length * STICK_RADIUS);
  return { right: dx * f || 0, ahead: -dy * f || 0 };
}

/** A gamepad's stick, each axis -1 to 1, without its dead zone. */
export function padStick(x: number, y: number): { right: number; ahead: number } {
  return stick(x * STICK_RADIUS, y * STICK_RADIUS);
}

/** Looking by a pointer: radians a pixel. */
export const LOOK_MOUSE = 0.0022;
/** Looking by dragging a finger: radians a pixel. */
export const LOOK_TOUCH = 0.0052;

/** How far up and down one can look, radians. */
const PITCH_MOST = (85 * Math.PI) / 180;

/** Where somebody looks: yaw about y (0 along -z, against the clock from above), pitch upward, radians. */
export interface Look {
  yaw: number;
  pitch: number;
}

/** Turns a look by a pointer's move of (dx, dy) pixels. */
export function turnBy(look: Look, dx: number, dy: number, radiansPerPixel: number): void {
  look.yaw = wrap(look.yaw - dx * radiansPerPixel);
  look.pitch = Math.max(-PITCH_MOST, Math.min(PITCH_MOST, look.pitch - dy * radiansPerPixel));
}

/** An angle in radians, brought between -pi and pi. */
export function wrap(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** A touch or a click that went (dx, dy) pixels and took `ms` is a tap if it went nowhere and was short. */
export function isTap(dx: number, dy: number, ms: number): boolean {
  return Math.hypot(dx, dy) < 10 && ms < 350;
}

/**
 * A snap turn by a gamepad's axis: turns once when it goes past 0.7, and again only after it came back below 0.4.
 */
export class SnapTurn {
  #ready = true;

  /** How far to turn now, radians: `step`, `-step` or 0; x is the axis, -1 to 1, right positive. */
  read(x: number, step: number): number {
    if (Math.abs(x) < 0.4) this.#ready = true;
    if (!this.#ready || Math.abs(x) < 0.7) return 0;
    this.#ready = false;
    return x > 0 ? -step : step;
  }
}
