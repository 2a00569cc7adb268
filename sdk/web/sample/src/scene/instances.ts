/** Many copies of one shape in one draw call, as many as there are this frame. */
import {
  type BufferGeometry, Color, DynamicDrawUsage, InstancedMesh, type Material, type Matrix4, type Object3D,
} from 'three';

const white = new Color('#ffffff');

/** An instanced mesh that grows. Each frame: `begin`, `put` for each copy, `end`. */
export class Instances {
  #mesh: InstancedMesh;
  #count = 0;
  readonly #parent: Object3D;

  constructor(parent: Object3D, geometry: BufferGeometry, material: Material, capacity = 16) {
    this.#parent = parent;
    this.#mesh = this.#make(geometry, material, capacity);
    parent.add(this.#mesh);
  }

  /** The mesh that draws them now; another after it grew. */
  get mesh(): InstancedMesh {
    return this.#mesh;
  }

  /** Starts a frame with no copies. */
  begin(): void {
    this.#count = 0;
  }

  /** Adds a copy. */
  put(matrix: Matrix4, colour: Color): void {
    if (this.#count === this.#mesh.instanceMatrix.count) this.#grow();
    this.#mesh.setMatrixAt(this.#count, matrix);
    this.#mesh.setColorAt(this.#count, colour);
    this.#count++;
  }

  /** Ends a frame: what was put is drawn. */
  end(): void {
    const m = this.#mesh;
    m.count = this.#count;
    m.visible = this.#count > 0;
    m.instanceMatrix.needsUpdate = true;
    if (m.instanceColor !== null) m.instanceColor.needsUpdate = true;
  }

  #make(geometry: BufferGeometry, material: Material, capacity: number): InstancedMesh {
    const m = new InstancedMesh(geometry, material, capacity);
    m.instanceMatrix.setUsage(DynamicDrawUsage);
    // Copies are all over the venue: testing the mesh as a whole says nothing.
    m.frustumCulled = false;
    m.count = 0;
    return m;
  }

  #grow(): void {
    const old = this.#mesh;
    const bigger = this.#make(old.geometry, old.material as Material, old.instanceMatrix.count * 2);
    bigger.castShadow = old.castShadow;
    bigger.receiveShadow = old.receiveShadow;
    bigger.renderOrder = old.renderOrder;
    bigger.instanceMatrix.array.set(old.instanceMatrix.array);
    if (old.instanceColor !== null) {
      bigger.setColorAt(0, white);
      bigger.instanceColor?.array.set(old.instanceColor.array);
    }
    this.#parent.remove(old);
    this.#parent.add(bigger);
    old.dispose();
    this.#mesh = bigger;
  }
}
