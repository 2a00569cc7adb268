/** The other visitors: heads, visors, trunks, hands, and names above them; and the visitor's own hands. */
import {
  Color, Euler, Matrix4, MeshLambertMaterial, MeshStandardMaterial, Object3D, Quaternion, Vector3,
} from 'three';
import type { Body, Curls, Extras, Joint } from '../../../src/index.ts';
import { wrap } from '../input.ts';
import type { Blobs } from './blobs.ts';
import { handShape, headShape, trunkShape, visorShape } from './figure.ts';
import { Instances } from './instances.ts';
import { palette, personColour } from './palette.ts';
import { Tag } from './tags.ts';

/** A person to draw. */
export interface Person {
  readonly id: string;
  readonly name: string;
  /** Their connection is lost. */
  readonly away: boolean;
  /** They say that they speak. */
  readonly speaking: boolean;
  /** What their device tells of eyes and body. */
  readonly extras: Extras;
  readonly body: Body;
}

/** What is kept of a person between frames. */
interface Known {
  readonly colour: Color;
  readonly tag: Tag;
  trunkYaw: number;
  seen: boolean;
}

const one = new Vector3(1, 1, 1);
const place = new Vector3();
const turn = new Quaternion();
const forward = new Vector3();
const up = new Vector3(0, 1, 0);
const eyes = new Quaternion();
const glance = new Euler(0, 0, 0, 'YXZ');
const grey = new Color('#9aa3b2');
const shade = new Color();
const tint = new Color();

/** Names are seen up to this far, metres, and fade over the last quarter. */
const NAME_FAR = 22;
/** How much of the eyes' turn the visor shows. */
const GLANCE = 0.4;
/** By how much a fist is shorter than a flat hand. */
const SHORTER = 0.4;

/** Draws people. Each frame: `draw` with everyone. */
export class Avatars {
  readonly #heads: Instances;
  readonly #visors: Instances;
  readonly #trunks: Instances;
  readonly #hands: Record<'left' | 'right', Instances>;
  readonly #known = new Map<string, Known>();
  readonly #tags = new Object3D();
  readonly #matrix = new Matrix4();
  #count = 0;

  /** `lean` draws without reflections. */
  constructor(parent: Object3D, lean: boolean) {
    const cloth = lean ? new MeshLambertMaterial() : new MeshStandardMaterial({ roughness: 0.62, metalness: 0 });
    const glass = lean ? new MeshLambertMaterial() : new MeshStandardMaterial({ roughness: 0.16, metalness: 0.35 });
    this.#heads = new Instances(parent, headShape(), cloth, 32);
    this.#visors = new Instances(parent, visorShape(), glass, 32);
    this.#trunks = new Instances(parent, trunkShape(), cloth, 32);
    this.#hands = {
      left: new Instances(parent, handShape('left'), cloth, 32),
      right: new Instances(parent, handShape('right'), cloth, 32),
    };
    parent.add(this.#tags);
  }

  /** How many people were drawn in the last frame. */
  get count(): number {
    return this.#count;
  }

  /** Draws everyone; `eye` is who looks, `own` the visitor's own hands, `groundAt` the height below a head. */
  draw(
    people: Iterable<Person>, own: { id: string; left: Joint; right: Joint } | undefined, eye: Vector3, dt: number,
    blobs: Blobs, groundAt: (x: number, y: number, z: number) => number,
  ): void {
    const all = [this.#heads, this.#visors, this.#trunks, this.#hands.left, this.#hands.right];
    for (const i of all) i.begin();
    for (const k of this.#known.values()) k.seen = false;
    this.#count = 0;
    for (const p of people) {
      this.#person(p, eye, dt);
      const [x, y, z] = p.body.head.p;
      blobs.put(x, groundAt(x, y, z), z, 0.75);
      this.#count++;
    }
    if (own !== undefined) {
      const colour = personColour(own.id);
      this.#hand('left', own.left, colour);
      this.#hand('right', own.right, colour);
    }
    for (const i of all) i.end();
    for (const [id, k] of this.#known) {
      if (k.seen) continue;
      k.tag.dispose();
      this.#known.delete(id);
    }
  }

  #person(p: Person, eye: Vector3, dt: number): void {
    const { head, left, right } = p.body;
    place.set(...head.p);
    turn.set(...head.q);
    forward.set(0, 0, -1).applyQuaternion(turn);
    const yaw = Math.atan2(-forward.x, -forward.z);
    let k = this.#known.get(p.id);
    if (k === undefined) {
      const colour = personColour(p.id);
      const dot = `#${colour.getHexString()}`;
      const tag = new Tag(p.name, { height: 0.2, ink: palette.ink, paper: 'rgba(255,255,255,0.9)', dot });
      this.#tags.add(tag.sprite);
      k = { colour, tag, trunkYaw: yaw, seen: true };
      this.#known.set(p.id, k);
    }
    k.seen = true;
    // Looking straight up or down says nothing about where the body faces, if it does not say so itself.
    const faces = p.extras.root?.yaw ?? (Math.hypot(forward.x, forward.z) > 0.3 ? yaw : undefined);
    if (faces !== undefined) k.trunkYaw += wrap(faces - k.trunkYaw) * (1 - Math.exp(-6 * dt));
    shade.copy(k.colour);
    if (p.away) shade.lerp(grey, 0.8);
    this.#heads.put(this.#matrix.compose(place, turn, one), tint.copy(shade).lerp(white, 0.82));
    // The visor turns a little with the eyes.
    const gaze = p.extras.gaze;
    if (gaze) this.#matrix.compose(place, eyes.setFromEuler(glance.set(GLANCE * gaze.pitch, GLANCE * gaze.yaw, 0)).premultiply(turn), one);
    this.#visors.put(this.#matrix, tint.set(palette.visor));
    this.#trunks.put(this.#matrix.compose(place, turn.setFromAxisAngle(up, k.trunkYaw), one), shade);
    this.#hand('left', left, shade, p.extras.fingers?.left);
    this.#hand('right', right, shade, p.extras.fingers?.right);
    const far = eye.distanceTo(place);
    k.tag.text = p.away ? `${p.name} (connection lost)` : p.speaking ? `${p.name} (speaking)` : p.name;
    // Far names stay readable, near ones do not fill the view.
    k.tag.zoom = Math.max(0.5, Math.min(1.7, 0.4 + 0.12 * far));
    k.tag.sprite.position.set(place.x, place.y + 0.2 + k.tag.sprite.scale.y * 0.5, place.z);
    k.tag.opacity = Math.max(0, Math.min(1, (NAME_FAR - far) / (NAME_FAR / 4)));
  }

  // Hands are of one piece: one whose fingers are bent is shorter.
  #hand(hand: 'left' | 'right', joint: Joint, colour: Color, curls?: Curls | null): void {
    const bent = curls ? curls.reduce((sum, c) => sum + c, 0) / curls.length : 0;
    this.#hands[hand].put(
      this.#matrix.compose(place2.set(...joint.p), turn2.set(...joint.q), size2.set(1, 1, 1 - SHORTER * bent)),
      tint.copy(colour).lerp(white, 0.35),
    );
  }
}

const white = new Color('#ffffff');
const place2 = new Vector3();
const turn2 = new Quaternion();
const size2 = new Vector3();
