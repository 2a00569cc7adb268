/** A headset: entering, where head and hands are, and what controllers and fingers do. */
import { Matrix4, Quaternion, Vector3, type Group, type WebGLRenderer } from 'three';
import { curlsOf, type Body, type Curls, type Extras, type Hand, type Joint } from '../../src/index.ts';
import { toJoint, toPose } from './hands.ts';
import { padStick, SnapTurn } from './input.ts';

/** A turn by the stick, radians. */
const SNAP = Math.PI / 6;

/** What hands tell. */
export interface HeadsetEvents {
  /** A hand closes or opens: squeeze of a controller, pinch of fingers. */
  grip(hand: Hand, closed: boolean): void;
  /** The trigger of a controller. */
  use(hand: Hand): void;
  /** The visit in the headset began or ended. */
  presenting(on: boolean): void;
}

/** Says whether there is a headset to enter. */
export async function hasHeadset(): Promise<boolean> {
  try {
    return (await navigator.xr?.isSessionSupported('immersive-vr')) === true;
  } catch {
    return false;
  }
}

const hands: readonly Hand[] = ['left', 'right'];

/** Hands that have not been seen yet hang here, from the head, in its frame. */
const hanging: Readonly<Record<Hand, Vector3>> = { left: new Vector3(-0.22, -0.5, -0.15), right: new Vector3(0.22, -0.5, -0.15) };

/** The headset's session, while there is one. `rig` moves its space through the venue. */
export class Headset {
  readonly #renderer: WebGLRenderer;
  readonly #rig: Group;
  readonly #events: HeadsetEvents;
  readonly #snap = new SnapTurn();
  #session: XRSession | undefined;
  /** Hands relative to the head, in the rig's turn: where they were last. */
  readonly #last: Record<Hand, { p: Vector3; q: Quaternion }> = {
    left: { p: hanging.left.clone(), q: new Quaternion() },
    right: { p: hanging.right.clone(), q: new Quaternion() },
  };

  constructor(renderer: WebGLRenderer, rig: Group, events: HeadsetEvents) {
    this.#renderer = renderer;
    this.#rig = rig;
    this.#events = events;
  }

  /** Is the visitor in the headset? */
  get on(): boolean {
    return this.#session !== undefined;
  }

  /** Enters; call it from a click. */
  async enter(): Promise<void> {
    if (this.#session !== undefined || navigator.xr === undefined) return;
    const session = await navigator.xr.requestSession('immersive-vr', {
      requiredFeatures: ['local-floor'], optionalFeatures: ['hand-tracking'],
    });
    this.#session = session;
    session.addEventListener('end', () => {
      this.#session = undefined;
      this.#events.presenting(false);
    });
    const handOf = (e: XRInputSourceEvent): Hand | undefined => (e.inputSource.handedness === 'none' ? undefined : e.inputSource.handedness);
    const on = (type: 'squeezestart' | 'squeezeend' | 'selectstart' | 'selectend', fn: (hand: Hand, fingers: boolean) => void): void =>
      session.addEventListener(type, (e) => {
        const hand = handOf(e);
        if (hand !== undefined) fn(hand, e.inputSource.hand != null);
      });
    on('squeezestart', (hand) => this.#events.grip(hand, true));
    on('squeezeend', (hand) => this.#events.grip(hand, false));
    // Fingers have one gesture, the pinch, which is what a hand takes things with.
    on('selectstart', (hand, fingers) => (fingers ? this.#events.grip(hand, true) : this.#events.use(hand)));
    on('selectend', (hand, fingers) => {
      if (fingers) this.#events.grip(hand, false);
    });
    this.#renderer.xr.setReferenceSpaceType('local-floor');
    await this.#renderer.xr.setSession(session);
    this.#events.presenting(true);
  }

  /** Leaves the headset. */
  async leave(): Promise<void> {
    await this.#session?.end();
  }

  /** Moves the rig so that the head, as it is in this frame, stands over (x, z) and looks along `yaw`; feet at `y`. */
  align(frame: XRFrame, x: number, y: number, z: number, yaw: number): boolean {
    const head = this.#pose(frame, undefined);
    if (head === undefined) return false;
    const ahead = new Vector3(0, 0, -1).applyQuaternion(head.q);
    this.#rig.rotation.y = yaw - Math.atan2(-ahead.x, -ahead.z);
    const at = head.p.clone().applyQuaternion(this.#rig.quaternion);
    this.#rig.position.set(x - at.x, y, z - at.z);
    this.#rig.updateMatrixWorld(true);
    return true;
  }

  /** Turns the rig around the head by an angle. */
  turn(head: Vector3, angle: number): void {
    const off = this.#rig.position.clone().sub(head).applyAxisAngle(new Vector3(0, 1, 0), angle);
    this.#rig.position.set(head.x + off.x, this.#rig.position.y, head.z + off.z);
    this.#rig.rotation.y += angle;
    this.#rig.updateMatrixWorld(true);
  }

  /** What the sticks want: right and ahead by the left one, a snap turn in radians by the right one. */
  sticks(): { right: number; ahead: number; turn: number } {
    let walk = { right: 0, ahead: 0 };
    let turn = 0;
    for (const source of this.#session?.inputSources ?? []) {
      const axes = source.gamepad?.axes;
      if (axes === undefined || source.hand != null) continue;
      // The standard mapping has the thumb's stick at 2 and 3, and a touch pad before it.
      const [x, y] = axes.length >= 4 ? [axes[2] ?? 0, axes[3] ?? 0] : [axes[0] ?? 0, axes[1] ?? 0];
      if (source.handedness === 'left') walk = padStick(x, y);
      else turn = this.#snap.read(x, SNAP);
    }
    return { ...walk, turn };
  }

  /** Head and hands in the venue, as this frame has them; undefined while the head is not tracked. */
  body(frame: XRFrame): Body | undefined {
    const head = this.#pose(frame, undefined);
    if (head === undefined) return undefined;
    for (const source of frame.session.inputSources) {
      if (source.handedness === 'none') continue;
      const space = source.gripSpace ?? source.hand?.get('wrist') ?? source.targetRaySpace;
      const pose = this.#pose(frame, space);
      if (pose !== undefined) this.#last[source.handedness] = { p: pose.p.sub(head.p), q: pose.q };
    }
    const [left, right] = hands.map((hand) => {
      const { p, q } = this.#last[hand];
      return this.#inVenue({ p: p.clone().add(head.p), q });
    }) as [Joint, Joint];
    return { head: this.#inVenue(head), left, right };
  }

  /** How far the fingers are bent, of hands that are tracked without a controller. */
  fingers(frame: XRFrame): NonNullable<Extras['fingers']> {
    const base = this.#renderer.xr.getReferenceSpace();
    const curls: Record<Hand, Curls | null> = { left: null, right: null };
    for (const { hand, handedness } of frame.session.inputSources) {
      if (hand == null || handedness === 'none' || base === null) continue;
      curls[handedness] = curlsOf((joint) => {
        const space = hand.get(joint as XRHandJoint);
        const p = space && frame.getJointPose?.(space, base)?.transform.position;
        return p ? [p.x, p.y, p.z] : null;
      });
    }
    return curls;
  }

  /** A point of the venue in the headset's space, and back: for tests that move an emulated device. */
  toSpace(p: readonly [number, number, number]): [number, number, number] {
    return new Vector3(...p).applyMatrix4(new Matrix4().copy(this.#rig.matrixWorld).invert()).toArray();
  }

  /** A buzz of a hand's controller, if it has one. */
  buzz(hand: Hand): void {
    for (const source of this.#session?.inputSources ?? []) {
      if (source.handedness !== hand) continue;
      const motor = (source.gamepad as { hapticActuators?: readonly { pulse?(value: number, ms: number): Promise<boolean> }[] } | undefined)?.hapticActuators?.[0];
      motor?.pulse?.(0.5, 30).catch(() => undefined);
    }
  }

  #pose(frame: XRFrame, space: XRSpace | undefined): { p: Vector3; q: Quaternion } | undefined {
    const base = this.#renderer.xr.getReferenceSpace();
    if (base === null) return undefined;
    const t = (space === undefined ? frame.getViewerPose(base) : frame.getPose(space, base))?.transform;
    if (t === undefined) return undefined;
    const { position: p, orientation: q } = t;
    return { p: new Vector3(p.x, p.y, p.z), q: new Quaternion(q.x, q.y, q.z, q.w) };
  }

  #inVenue(local: { p: Vector3; q: Quaternion }): Joint {
    const p = local.p.clone().applyQuaternion(this.#rig.quaternion).add(this.#rig.position);
    return toJoint(toPose({ p: [p.x, p.y, p.z], q: this.#rig.quaternion.clone().multiply(local.q).toArray() as [number, number, number, number] }));
  }
}
