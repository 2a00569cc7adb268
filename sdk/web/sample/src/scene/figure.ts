/** The shapes that a visitor is made of. All in metres, around the joint they belong to, looking along -z. */
import { type BufferGeometry, LatheGeometry, SphereGeometry, TorusGeometry, Vector2 } from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { mergeGeometries, mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';

function joined(parts: BufferGeometry[]): BufferGeometry {
  // Indexed and plain shapes do not mix.
  const all = mergeGeometries(parts.map((p) => (p.index === null ? p : p.toNonIndexed())));
  if (all === null) throw new Error('shapes that do not fit together');
  // Corners that faces share are computed once: this is drawn a hundred times a frame.
  return mergeVertices(all);
}

/** A head, around the eyes. */
export function headShape(): BufferGeometry {
  const skull = new SphereGeometry(0.125, 22, 15).scale(0.9, 1.08, 1).translate(0, 0.005, 0.03);
  const band = new TorusGeometry(0.117, 0.012, 5, 26).rotateX(Math.PI / 2).scale(0.93, 1, 1.02).translate(0, 0.012, 0.03);
  return joined([skull, band]);
}

/** The visor before the eyes. */
export function visorShape(): BufferGeometry {
  // The piece of a sphere around -z, a little outside of the skull.
  const wide = 2.7;
  return new SphereGeometry(0.131, 16, 6, 1.5 * Math.PI - wide / 2, wide, Math.PI / 2 - 0.36, 0.7)
    .scale(0.93, 1.0, 1.04)
    .translate(0, 0.005, 0.026);
}

/** Neck and trunk below the head, upright. */
export function trunkShape(): BufferGeometry {
  const outline = [
    [0.001, -0.78], [0.05, -0.775], [0.085, -0.757], [0.106, -0.72], [0.12, -0.64], [0.138, -0.53], [0.158, -0.42],
    [0.172, -0.345], [0.175, -0.305], [0.168, -0.268], [0.148, -0.238], [0.115, -0.216], [0.084, -0.2], [0.064, -0.178], [0.056, -0.145], [0.054, -0.09],
  ].map(([r, y]) => new Vector2(r, y));
  return new LatheGeometry(outline, 22).scale(1.12, 1, 0.68).translate(0, 0, 0.045);
}

/** A hand around its grip, palm inward, fingers along -z. */
export function handShape(hand: 'left' | 'right'): BufferGeometry {
  const inward = hand === 'right' ? -1 : 1;
  const palm = new RoundedBoxGeometry(0.036, 0.082, 0.088, 2, 0.017).translate(0, 0, 0.012);
  const fingers = new RoundedBoxGeometry(0.03, 0.076, 0.062, 1, 0.014).rotateY(-inward * 0.42).translate(inward * 0.012, -0.002, -0.052);
  const thumb = new RoundedBoxGeometry(0.026, 0.028, 0.066, 1, 0.012)
    .rotateX(0.35)
    .rotateY(-inward * 0.5)
    .translate(inward * 0.02, 0.044, -0.012);
  const cuff = new RoundedBoxGeometry(0.05, 0.088, 0.034, 1, 0.016).translate(0, 0, 0.068);
  return joined([palm, fingers, thumb, cuff]);
}
