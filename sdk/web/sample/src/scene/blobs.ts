/** Soft spots of shadow under what moves: cheap, and there on every machine. */
import { CanvasTexture, Color, Matrix4, MeshBasicMaterial, type Object3D, PlaneGeometry } from 'three';
import { Instances } from './instances.ts';

const white = new Color('#ffffff');
const matrix = new Matrix4();

/** Spots of shadow on the ground and on tables. */
export class Blobs {
  readonly #spots: Instances;

  constructor(parent: Object3D) {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 64;
    const c = canvas.getContext('2d');
    if (c !== null) {
      const g = c.createRadialGradient(32, 32, 0, 32, 32, 32);
      g.addColorStop(0, 'rgba(35, 32, 45, 0.55)');
      g.addColorStop(0.45, 'rgba(35, 32, 45, 0.28)');
      g.addColorStop(1, 'rgba(35, 32, 45, 0)');
      c.fillStyle = g;
      c.fillRect(0, 0, 64, 64);
    }
    const material = new MeshBasicMaterial({
      map: new CanvasTexture(canvas), transparent: true, depthWrite: false, toneMapped: false, polygonOffset: true, polygonOffsetFactor: -1,
    });
    this.#spots = new Instances(parent, new PlaneGeometry(1, 1).rotateX(-Math.PI / 2), material, 64);
    this.#spots.mesh.renderOrder = 2;
  }

  /** Starts a frame. */
  begin(): void {
    this.#spots.begin();
  }

  /** A spot around (x, z) at height y, with these diameters, metres. */
  put(x: number, y: number, z: number, wide: number, deep = wide): void {
    this.#spots.put(matrix.makeScale(wide, 1, deep).setPosition(x, y + 0.006, z), white);
  }

  /** Ends a frame. */
  end(): void {
    this.#spots.end();
  }
}
