/** The objects of the venue: many copies of a shape a kind, an outline around those within reach, and labels. */
import {
  BackSide, BoxGeometry, type BufferGeometry, Color, CylinderGeometry, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, MeshStandardMaterial,
  Object3D, Quaternion, SphereGeometry, Vector3,
} from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Joint } from '../../../src/index.ts';
import type { Kind, Thing, Venue } from '../venue.ts';
import type { Blobs } from './blobs.ts';
import { Instances } from './instances.ts';
import { palette, safeColour } from './palette.ts';
import { Tag } from './tags.ts';

/** An object to draw. */
export interface Shown {
  /** Its name in the venue. */
  readonly name: string;
  /** Index of its kind. */
  readonly class: number;
  readonly joint: Joint;
  /** Somebody holds it. */
  readonly held: boolean;
  /** Its state word. */
  readonly value: number;
}

const one = new Vector3(1, 1, 1);
const place = new Vector3();
const turn = new Quaternion();
const matrix = new Matrix4();
const tint = new Color();
const white = new Color('#ffffff');

/** Labels are seen up to this far, metres. */
const LABEL_FAR = 16;

function shapeOf(kind: Kind): BufferGeometry {
  const [x, y, z] = kind.size;
  switch (kind.shape) {
    case 'sphere':
      return new SphereGeometry(0.5, 24, 16).scale(x, y, z);
    case 'cylinder':
      return new CylinderGeometry(0.5, 0.5, 1, 28).scale(x, y, z);
    default: {
      const r = Math.min(0.025, Math.min(x, y, z) * 0.14);
      return mergeVertices(new RoundedBoxGeometry(x, y, z, 2, r));
    }
  }
}

/** The outline of a kind: its shape, a little larger, seen from inside. */
function outlineOf(kind: Kind): BufferGeometry {
  const [x, y, z] = kind.size.map((s) => s + 0.024) as [number, number, number];
  switch (kind.shape) {
    case 'sphere':
      return new SphereGeometry(0.5, 24, 16).scale(x, y, z);
    case 'cylinder':
      return new CylinderGeometry(0.5, 0.5, 1, 24).scale(x, y, z);
    default:
      return new BoxGeometry(x, y, z);
  }
}

/** Draws objects. Each frame: `draw` with all that are there. */
export class Things {
  readonly #kinds: readonly Kind[];
  readonly #copies: Instances[];
  readonly #outlines: Record<'left' | 'right', Mesh>;
  readonly #outlineShapes: BufferGeometry[];
  readonly #labels = new Map<string, Tag>();
  readonly #byName: ReadonlyMap<string, Thing>;
  readonly #tags = new Object3D();

  /** `lean` draws without reflections. */
  constructor(parent: Object3D, venue: Venue, lean: boolean) {
    this.#kinds = venue.kinds;
    this.#byName = new Map(venue.objects.map((o) => [o.name, o]));
    this.#copies = venue.kinds.map((kind) => {
      const copies = new Instances(parent, shapeOf(kind), lean ? new MeshLambertMaterial() : new MeshStandardMaterial({ roughness: 0.55, metalness: 0.02 }), 64);
      // Only what never moves casts into the shadows that are drawn once.
      copies.mesh.castShadow = !kind.grabbable;
      copies.mesh.receiveShadow = true;
      return copies;
    });
    this.#outlineShapes = venue.kinds.map(outlineOf);
    const outline = (): Mesh => {
      const mesh = new Mesh(this.#outlineShapes[0], new MeshBasicMaterial({ color: palette.highlight, side: BackSide, toneMapped: false }));
      mesh.visible = false;
      parent.add(mesh);
      return mesh;
    };
    this.#outlines = { left: outline(), right: outline() };
    parent.add(this.#tags);
  }

  /** Draws what is there; `lit` names what each hand could take. */
  draw(shown: Iterable<Shown>, lit: { left?: string | undefined; right?: string | undefined }, eye: Vector3, blobs: Blobs): void {
    for (const c of this.#copies) c.begin();
    this.#outlines.left.visible = this.#outlines.right.visible = false;
    const labelled = new Set<string>();
    for (const s of shown) {
      const kind = this.#kinds[s.class];
      const copies = this.#copies[s.class];
      if (kind === undefined || copies === undefined) continue;
      place.set(...s.joint.p);
      turn.set(...s.joint.q);
      matrix.compose(place, turn, one);
      tint.copy(safeColour(kind.color));
      // A number that rules change shows as a change of brightness, whatever it means.
      if (s.value > 0) tint.lerp(white, 0.35 * (1 - 1 / (1 + s.value)));
      copies.put(matrix, tint);
      if (s.name === lit.right) this.#outline('right', s.class);
      if (s.name === lit.left && lit.left !== lit.right) this.#outline('left', s.class);
      if (!s.held && kind.grabbable) {
        blobs.put(place.x, place.y - kind.size[1] / 2, place.z, kind.size[0] * 1.7, kind.size[2] * 1.7);
      }
      this.#label(s, kind, eye, labelled);
    }
    for (const c of this.#copies) c.end();
    for (const [name, tag] of this.#labels) if (!labelled.has(name)) tag.opacity = 0;
  }

  #outline(hand: 'left' | 'right', kind: number): void {
    const mesh = this.#outlines[hand];
    const shape = this.#outlineShapes[kind];
    if (shape !== undefined) mesh.geometry = shape;
    mesh.position.copy(place);
    mesh.quaternion.copy(turn);
    mesh.visible = true;
  }

  #label(s: Shown, kind: Kind, eye: Vector3, labelled: Set<string>): void {
    const text = this.#byName.get(s.name)?.label ?? '';
    if (text === '') return;
    let tag = this.#labels.get(s.name);
    if (tag === undefined) {
      const big = Math.max(...kind.size) > 3;
      tag = new Tag(text, { height: big ? 0.6 : 0.12, ink: palette.ink, paper: 'rgba(255,255,255,0.82)', dot: '' });
      this.#labels.set(s.name, tag);
      this.#tags.add(tag.sprite);
    }
    labelled.add(s.name);
    const above = kind.size[1] / 2 + (tag.sprite.scale.y > 0.2 ? 1.9 : 0.13);
    tag.sprite.position.set(place.x, place.y + above, place.z);
    const far = LABEL_FAR * Math.max(1, Math.max(...kind.size) / 3);
    tag.opacity = Math.max(0, Math.min(1, (far - eye.distanceTo(place)) / (far / 4)));
  }
}
