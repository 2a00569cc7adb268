/** The page's keys, pointer and fingers, as events of the DOM; what they mean is input.ts. */
import { actionOf, type Action, isOurs, isTap, Keys, type Look, LOOK_MOUSE, LOOK_TOUCH, stick, turnBy, type Want } from './input.ts';
import { el } from './ui/dom.ts';

/** What the controls tell. */
export interface ControlEvents {
  /** A key or a button of the mouse. */
  action(action: Action): void;
  /**
   * A tap on the picture, or a click while the pointer is free: x and y from -1 to 1, y up. True when it
   * meant something.
   */
  tap(x: number, y: number, touch: boolean): boolean;
  /** The wheel: away from the visitor is positive, about 1 a notch. */
  wheel(notches: number): void;
}

/** Turns by the arrow keys, radians a second. */
const TURN_SPEED = 1.9;

/** Listens on the picture until `stop`. */
export class Controls {
  /** Where the visitor looks; pointer and fingers turn it. */
  readonly look: Look;
  readonly #keys = new Keys();
  readonly #stop = new AbortController();
  readonly #canvas: HTMLCanvasElement;
  readonly #events: ControlEvents;
  readonly #stick: HTMLElement;
  readonly #knob = el('i');
  #thumb = { right: 0, ahead: 0 };
  #drag: { id: number; x: number; y: number; startX: number; startY: number; at: number } | undefined;

  constructor(canvas: HTMLCanvasElement, hud: HTMLElement, look: Look, events: ControlEvents) {
    this.#canvas = canvas;
    this.look = look;
    this.#events = events;
    this.#stick = el('div', { class: 'stick', attrs: { 'aria-label': 'Walk' } }, this.#knob);
    this.#stick.hidden = !matchMedia('(pointer: coarse)').matches;
    hud.append(this.#stick);
    const { signal } = this.#stop;
    addEventListener('keydown', (e) => this.#keyDown(e), { signal });
    addEventListener('keyup', (e) => this.#keys.lift(e.code), { signal });
    addEventListener('blur', () => this.#keys.clear(), { signal });
    canvas.addEventListener('pointerdown', (e) => this.#pointerDown(e), { signal });
    canvas.addEventListener('pointermove', (e) => this.#pointerMove(e), { signal });
    canvas.addEventListener('pointerup', (e) => this.#pointerUp(e), { signal });
    canvas.addEventListener('pointercancel', () => (this.#drag = undefined), { signal });
    canvas.addEventListener('contextmenu', (e) => e.preventDefault(), { signal });
    canvas.addEventListener('wheel', (e) => {
      e.preventDefault();
      events.wheel(-Math.sign(e.deltaY));
    }, { signal, passive: false });
    this.#watchStick(signal);
  }

  /** Does the pointer turn the look by itself? */
  get locked(): boolean {
    return document.pointerLockElement === this.#canvas;
  }

  /** What keys and stick want now. */
  want(): Want {
    const k = this.#keys.want();
    if (this.#thumb.right === 0 && this.#thumb.ahead === 0) return k;
    const run = k.run || Math.hypot(this.#thumb.right, this.#thumb.ahead) > 0.95;
    return { ...this.#thumb, turn: k.turn, run };
  }

  /** Turns by the arrow keys for `dt` seconds. */
  step(dt: number): void {
    const { turn } = this.#keys.want();
    if (turn !== 0) turnBy(this.look, -turn * TURN_SPEED * dt, 0, 1);
  }

  /** Ends listening. */
  stop(): void {
    this.#stop.abort();
    this.#stick.remove();
    if (this.locked) document.exitPointerLock();
  }

  #keyDown(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLInputElement || !isOurs(e.code)) {
      if (e.code.startsWith('Shift')) this.#keys.press(e.code);
      return;
    }
    if (!(e.target instanceof HTMLButtonElement)) e.preventDefault();
    if (!this.#keys.press(e.code)) return;
    const action = actionOf(e.code);
    if (action !== undefined) this.#events.action(action);
  }

  #pointerDown(e: PointerEvent): void {
    if (this.locked) {
      if (e.button === 0) this.#events.action('grabRight');
      if (e.button === 2) this.#events.action('grabLeft');
      return;
    }
    this.#canvas.focus({ preventScroll: true });
    if (this.#drag !== undefined) return;
    this.#canvas.setPointerCapture(e.pointerId);
    this.#drag = { id: e.pointerId, x: e.clientX, y: e.clientY, startX: e.clientX, startY: e.clientY, at: e.timeStamp };
  }

  #pointerMove(e: PointerEvent): void {
    if (this.locked) {
      turnBy(this.look, e.movementX, e.movementY, LOOK_MOUSE);
      return;
    }
    const d = this.#drag;
    if (d === undefined || d.id !== e.pointerId) return;
    // Dragging pulls the picture along, as on a map.
    turnBy(this.look, -(e.clientX - d.x), -(e.clientY - d.y), e.pointerType === 'mouse' ? LOOK_MOUSE * 1.4 : LOOK_TOUCH);
    d.x = e.clientX;
    d.y = e.clientY;
  }

  #pointerUp(e: PointerEvent): void {
    const d = this.#drag;
    if (d === undefined || d.id !== e.pointerId) return;
    this.#drag = undefined;
    if (!isTap(e.clientX - d.startX, e.clientY - d.startY, e.timeStamp - d.at)) return;
    const box = this.#canvas.getBoundingClientRect();
    const x = ((e.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((e.clientY - box.top) / box.height) * 2;
    const touch = e.pointerType !== 'mouse';
    if (this.#events.tap(x, y, touch) || touch) return;
    // Where the browser does not give the pointer away, dragging goes on to work.
    try {
      const asked: unknown = this.#canvas.requestPointerLock();
      if (asked instanceof Promise) asked.catch(() => undefined);
    } catch {
      return;
    }
  }

  #watchStick(signal: AbortSignal): void {
    let start: { id: number; x: number; y: number } | undefined;
    const set = (dx: number, dy: number): void => {
      this.#thumb = stick(dx, dy);
      const far = Math.max(1, Math.hypot(dx, dy) / 44);
      this.#knob.style.transform = `translate(${dx / far}px, ${dy / far}px)`;
    };
    this.#stick.addEventListener('pointerdown', (e) => {
      e.preventDefault();
      this.#stick.setPointerCapture(e.pointerId);
      const box = this.#stick.getBoundingClientRect();
      start = { id: e.pointerId, x: box.left + box.width / 2, y: box.top + box.height / 2 };
      set(e.clientX - start.x, e.clientY - start.y);
    }, { signal });
    this.#stick.addEventListener('pointermove', (e) => {
      if (start?.id === e.pointerId) set(e.clientX - start.x, e.clientY - start.y);
    }, { signal });
    const end = (e: PointerEvent): void => {
      if (start?.id !== e.pointerId) return;
      start = undefined;
      set(0, 0);
    };
    this.#stick.addEventListener('pointerup', end, { signal });
    this.#stick.addEventListener('pointercancel', end, { signal });
  }
}
