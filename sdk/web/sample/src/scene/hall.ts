/** The hall itself: ground, walls, beams, light. It stands still, so its shadows are drawn once. */
import {
  BackSide, BoxGeometry, type BufferGeometry, CanvasTexture, Color, DirectionalLight, DoubleSide, Float32BufferAttribute, Fog, FrontSide, Group,
  HemisphereLight, Mesh, MeshBasicMaterial, MeshLambertMaterial, PlaneGeometry, type Scene, ShaderMaterial, Shape, ShapeGeometry,
  SphereGeometry, SRGBColorSpace,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { type Floor, type Venue } from '../venue.ts';
import { type Wall, WALL_THICKNESS, wallHeight, wallsOf } from '../walls.ts';
import { palette, roomColour } from './palette.ts';

/** Height of the coloured panels along the walls, metres. */
const PANEL_HEIGHT = 1.05;

/** A hall in a scene. */
export interface Hall {
  readonly group: Group;
  /** Draw its shadows anew with the next frame. */
  shade(): void;
}

/** Builds everything of a venue that never moves; `lean` for a machine without a graphics card. */
export function buildHall(scene: Scene, venue: Venue, lean: boolean): Hall {
  const group = new Group();
  const sun = lights(scene, venue, lean);
  if (lean) scene.background = new Color(palette.skyTop).lerp(new Color(palette.skyLow), 0.5);
  else scene.add(sky(venue));
  for (const floor of venue.floors) {
    const walls = wallsOf(venue, floor);
    group.add(ground(venue, floor, walls, lean), solidWalls(floor, walls), panels(venue, floor, walls), skirting(walls), beams(venue, floor));
    for (const zone of venue.zones) if (zone.floor === floor.name) group.add(zoneMark(zone, floor));
  }
  scene.add(group);
  return {
    group,
    shade: () => {
      sun.shadow.needsUpdate = true;
    },
  };
}

/** The smallest box on the ground around all floors: middle and size, metres. */
function extent(venue: Venue): { x: number; z: number; size: number; low: number; high: number } {
  const xs = venue.floors.flatMap((f) => [f.min[0], f.max[0]]);
  const zs = venue.floors.flatMap((f) => [f.min[1], f.max[1]]);
  const [x0, x1, z0, z1] = [Math.min(...xs), Math.max(...xs), Math.min(...zs), Math.max(...zs)];
  return {
    x: (x0 + x1) / 2,
    z: (z0 + z1) / 2,
    size: Math.hypot(x1 - x0, z1 - z0),
    low: Math.min(...venue.floors.map((f) => f.y)),
    high: Math.max(...venue.floors.map((f) => f.y + f.height)),
  };
}

function lights(scene: Scene, venue: Venue, lean: boolean): DirectionalLight {
  const e = extent(venue);
  scene.fog = new Fog(palette.skyLow, Math.max(30, e.size * 0.7), Math.max(90, e.size * 2.2));
  scene.add(new HemisphereLight('#f4f7ff', '#d6cbb9', lean ? 2.5 : 1.9));
  const sun = new DirectionalLight('#fff0da', 2.15);
  const middle = [e.x, e.low, e.z] as const;
  sun.position.set(middle[0] + e.size * 0.42, middle[1] + e.size, middle[2] + e.size * 0.3);
  sun.target.position.set(...middle);
  sun.castShadow = !lean;
  sun.shadow.autoUpdate = false;
  sun.shadow.needsUpdate = true;
  sun.shadow.mapSize.set(4096, 4096);
  sun.shadow.radius = 3;
  sun.shadow.bias = -0.0004;
  sun.shadow.normalBias = 0.04;
  const c = sun.shadow.camera;
  c.left = c.bottom = -e.size / 2 - 2;
  c.right = c.top = e.size / 2 + 2;
  c.near = 1;
  c.far = e.size * 2.4;
  scene.add(sun, sun.target);
  return sun;
}

function sky(venue: Venue): Mesh {
  const e = extent(venue);
  const material = new ShaderMaterial({
    side: BackSide,
    depthWrite: false,
    fog: false,
    uniforms: { top: { value: new Color(palette.skyTop) }, low: { value: new Color(palette.skyLow) } },
    vertexShader: 'varying vec3 way; void main() { way = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: `
      uniform vec3 top, low; varying vec3 way;
      void main() {
        float h = clamp(normalize(way).y, 0.0, 1.0);
        gl_FragColor = vec4(mix(low, top, pow(h, 0.55)), 1.0);
        #include <colorspace_fragment>
      }`,
  });
  const mesh = new Mesh(new SphereGeometry(Math.max(300, e.size * 3), 32, 16), material);
  mesh.position.set(e.x, e.low, e.z);
  mesh.renderOrder = -10;
  return mesh;
}

/** The ground of a floor: soft darkness where things stand on it, room tints, and a grid of metres. */
function ground(venue: Venue, floor: Floor, walls: readonly Wall[], lean: boolean): Mesh {
  const [w, d] = [floor.max[0] - floor.min[0], floor.max[1] - floor.min[1]];
  const geometry = new PlaneGeometry(w, d).rotateX(-Math.PI / 2);
  const map = bakedGround(venue, floor, walls, lean);
  map.anisotropy = lean ? 1 : 8;
  // A gallery is seen from below too.
  const lowest = Math.min(...venue.floors.map((f) => f.y));
  const material = new MeshLambertMaterial({ map, side: floor.y > lowest ? DoubleSide : FrontSide });
  if (!lean) material.onBeforeCompile = (shader) => {
    shader.uniforms['gridFine'] = { value: new Color(palette.gridFine) };
    shader.uniforms['gridBold'] = { value: new Color(palette.gridBold) };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec2 onGround;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nonGround = (modelMatrix * vec4(position, 1.0)).xz;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>
        varying vec2 onGround; uniform vec3 gridFine, gridBold;
        float gridLine(vec2 p, float step, float wide) {
          vec2 at = p / step, f = fwidth(at);
          vec2 near = abs(fract(at - 0.5) - 0.5);
          vec2 half_ = vec2(wide / step * 0.5) + f * 0.5;
          vec2 on = clamp((half_ - near) / max(f, 1e-5) + 0.5, 0.0, 1.0);
          on *= clamp(vec2(wide / step) / max(f, vec2(1e-5)), 0.0, 1.0) * 0.75 + 0.25;
          on *= 1.0 - smoothstep(0.15, 0.6, f);
          return max(on.x, on.y);
        }`)
      .replace('#include <map_fragment>', `#include <map_fragment>
        diffuseColor.rgb = mix(diffuseColor.rgb, diffuseColor.rgb * gridFine * 1.12, 0.8 * gridLine(onGround, 1.0, 0.014));
        diffuseColor.rgb = mix(diffuseColor.rgb, diffuseColor.rgb * gridBold, 0.6 * gridLine(onGround, 5.0, 0.03));`);
  };
  const mesh = new Mesh(geometry, material);
  mesh.position.set((floor.min[0] + floor.max[0]) / 2, floor.y, (floor.min[1] + floor.max[1]) / 2);
  mesh.receiveShadow = true;
  return mesh;
}

function bakedGround(venue: Venue, floor: Floor, walls: readonly Wall[], grid: boolean): CanvasTexture {
  const [w, d] = [floor.max[0] - floor.min[0], floor.max[1] - floor.min[1]];
  const scale = Math.min(40, 2048 / Math.max(w, d)); // pixels a metre
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(8, Math.round(w * scale));
  canvas.height = Math.max(8, Math.round(d * scale));
  const c = canvas.getContext('2d');
  if (c !== null) {
    c.scale(canvas.width / w, canvas.height / d);
    c.translate(-floor.min[0], -floor.min[1]);
    c.fillStyle = palette.floor;
    c.fillRect(floor.min[0], floor.min[1], w, d);
    venue.rooms.forEach((room, i) => {
      if (room.floor !== floor.name) return;
      c.fillStyle = `#${new Color(palette.floor).lerp(roomColour(i), 0.1).getHexString()}`;
      c.fillRect(room.min[0], room.min[1], room.max[0] - room.min[0], room.max[1] - room.min[1]);
    });
    if (grid) {
      const lines = (step: number, wide: number, colour: string): void => {
        c.fillStyle = colour;
        for (let x = Math.ceil(floor.min[0] / step) * step; x <= floor.max[0]; x += step) c.fillRect(x - wide / 2, floor.min[1], wide, d);
        for (let z = Math.ceil(floor.min[1] / step) * step; z <= floor.max[1]; z += step) c.fillRect(floor.min[0], z - wide / 2, w, wide);
      };
      lines(1, 0.02, palette.gridFine);
      lines(5, 0.045, palette.gridBold);
    }
    c.shadowColor = 'rgba(44, 40, 52, 0.4)';
    c.fillStyle = 'rgba(60, 56, 66, 0.5)';
    for (const blur of [0.25, 0.9]) {
      c.shadowBlur = blur * scale;
      for (const wall of walls) {
        if (wall.bottom > floor.y) continue;
        const t = WALL_THICKNESS / 2;
        if (wall.axis === 'x') c.fillRect(wall.from, wall.at - t, wall.to - wall.from, 2 * t);
        else c.fillRect(wall.at - t, wall.from, 2 * t, wall.to - wall.from);
      }
      for (const o of venue.objects) {
        const kind = venue.kinds.find((k) => k.name === o.kind);
        if (kind === undefined || kind.grabbable || o.floor !== floor.name) continue;
        if (o.at[1] - kind.size[1] / 2 - floor.y > 0.3) continue;
        c.save();
        c.translate(o.at[0], o.at[2]);
        c.rotate((-o.yaw_deg * Math.PI) / 180);
        c.fillRect(-kind.size[0] / 2, -kind.size[2] / 2, kind.size[0], kind.size[2]);
        c.restore();
      }
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

/** A box between corners, whose vertices are shaded darker toward the ground. */
function box(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, floorY: number): BufferGeometry {
  const g = new BoxGeometry(x1 - x0, y1 - y0, z1 - z0, 1, 4, 1).translate((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2);
  const at = g.getAttribute('position');
  const colours = new Float32Array(at.count * 3);
  for (let i = 0; i < at.count; i++) {
    const h = Math.min(1, (at.getY(i) - floorY) / 1.2);
    const v = 0.8 + 0.2 * Math.sqrt(Math.max(0, h));
    colours.set([v, v, v * (1.01 - 0.01 * h)], i * 3);
  }
  g.setAttribute('color', new Float32BufferAttribute(colours, 3));
  return g;
}

function wallBox(wall: Wall, thick: number, bottom: number, top: number, floorY = wall.bottom): BufferGeometry {
  const t = thick / 2;
  return wall.axis === 'x'
    ? box(wall.from, bottom, wall.at - t, wall.to, top, wall.at + t, floorY)
    : box(wall.at - t, bottom, wall.from, wall.at + t, top, wall.to, floorY);
}

function merged(parts: readonly BufferGeometry[], material: MeshLambertMaterial): Mesh {
  const all = parts.length > 0 ? mergeGeometries([...parts]) : undefined;
  return new Mesh(all ?? new PlaneGeometry(0, 0), material);
}

function solidWalls(floor: Floor, walls: readonly Wall[]): Mesh {
  const mesh = merged(
    walls.map((w) => {
      // A lintel goes a little into the walls beside it, so that no light comes between.
      const into = w.bottom > floor.y ? 0.03 : 0;
      return wallBox({ ...w, from: w.from - into, to: w.to + into }, WALL_THICKNESS, w.bottom, w.top, floor.y);
    }),
    new MeshLambertMaterial({ color: palette.wall, vertexColors: true }),
  );
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** Panels along the foot of the walls, on either side in the colour of the room that is there. */
function panels(venue: Venue, floor: Floor, walls: readonly Wall[]): Mesh {
  const parts: BufferGeometry[] = [];
  for (const w of walls) {
    if (w.bottom > floor.y) continue;
    for (const side of [-1, 1]) {
      const at = w.at + side * (WALL_THICKNESS / 2 + 0.006);
      const middle = (w.from + w.to) / 2;
      const [x, z] = w.axis === 'x' ? [middle, at] : [at, middle];
      const room = venue.rooms.findIndex((r) => r.floor === floor.name && x > r.min[0] && x < r.max[0] && z > r.min[1] && z < r.max[1]);
      if (room < 0) continue;
      const g = wallBox({ ...w, at }, 0.012, w.bottom, w.bottom + PANEL_HEIGHT);
      const tint = new Color(palette.wall).lerp(roomColour(room), 0.5);
      const colours = g.getAttribute('color');
      for (let i = 0; i < colours.count; i++) colours.setXYZ(i, colours.getX(i) * tint.r, colours.getY(i) * tint.g, colours.getZ(i) * tint.b);
      parts.push(g);
    }
  }
  const mesh = merged(parts, new MeshLambertMaterial({ vertexColors: true }));
  mesh.receiveShadow = true;
  return mesh;
}

/** Skirting boards, and a cap on top of the walls. */
function skirting(walls: readonly Wall[]): Mesh {
  const parts: BufferGeometry[] = [];
  const lowest = Math.min(...walls.map((w) => w.bottom));
  for (const w of walls) {
    if (w.bottom <= lowest + 0.01) parts.push(wallBox(w, WALL_THICKNESS + 0.03, w.bottom, w.bottom + 0.11));
    parts.push(wallBox(w, WALL_THICKNESS + 0.05, w.top - 0.001, w.top + 0.06));
  }
  return merged(parts, new MeshLambertMaterial({ color: palette.base }));
}

/** Timber beams over each room, along its longer side: what the sun's stripes on the ground come from. */
function beams(venue: Venue, floor: Floor): Mesh {
  const parts: BufferGeometry[] = [];
  const rooms = venue.rooms.filter((r) => r.floor === floor.name);
  const y = floor.y + wallHeight(floor) + 0.06;
  for (const r of rooms.length > 0 ? rooms : [floor]) {
    const [w, d] = [r.max[0] - r.min[0], r.max[1] - r.min[1]];
    const short = Math.min(w, d);
    const count = Math.max(2, Math.round(short / 2.8));
    for (let i = 1; i < count; i++) {
      const at = (i / count) * short;
      parts.push(
        w < d
          ? box(r.min[0] + at - 0.045, y, r.min[1], r.min[0] + at + 0.045, y + 0.22, r.max[1], y - 5)
          : box(r.min[0], y, r.min[1] + at - 0.045, r.max[0], y + 0.22, r.min[1] + at + 0.045, y - 5),
      );
    }
  }
  const mesh = merged(parts, new MeshLambertMaterial({ color: palette.beam }));
  mesh.castShadow = true;
  return mesh;
}

/** A zone as a faint frame on the ground. */
function zoneMark(zone: { min: readonly [number, number]; max: readonly [number, number]; door?: string }, floor: Floor): Mesh {
  const inset = 0.06;
  const [x0, z0, x1, z1] = [zone.min[0] + inset, zone.min[1] + inset, zone.max[0] - inset, zone.max[1] - inset];
  const outer = rounded(x0, z0, x1, z1, 0.3);
  outer.holes.push(rounded(x0 + 0.05, z0 + 0.05, x1 - 0.05, z1 - 0.05, 0.25));
  // A shape lies in x and y; turned onto the ground its y becomes -z.
  const geometry = new ShapeGeometry(outer, 8).rotateX(Math.PI / 2);
  const material = new MeshBasicMaterial({
    color: zone.door === undefined ? '#5a6fae' : '#3f9a86', transparent: true, opacity: 0.42, depthWrite: false, side: 2,
  });
  const mesh = new Mesh(geometry, material);
  mesh.position.y = floor.y + 0.012;
  mesh.renderOrder = 1;
  return mesh;
}

function rounded(x0: number, z0: number, x1: number, z1: number, radius: number): Shape {
  const r = Math.max(0.01, Math.min(radius, (x1 - x0) / 2, (z1 - z0) / 2));
  return new Shape()
    .moveTo(x0 + r, z0)
    .lineTo(x1 - r, z0)
    .absarc(x1 - r, z0 + r, r, -Math.PI / 2, 0, false)
    .lineTo(x1, z1 - r)
    .absarc(x1 - r, z1 - r, r, 0, Math.PI / 2, false)
    .lineTo(x0 + r, z1)
    .absarc(x0 + r, z1 - r, r, Math.PI / 2, Math.PI, false)
    .lineTo(x0, z0 + r)
    .absarc(x0 + r, z0 + r, r, Math.PI, 1.5 * Math.PI, false);
}
