/** The picture: renderer, camera and the loop of frames. */
import { Group, NeutralToneMapping, PCFShadowMap, PerspectiveCamera, PMREMGenerator, Scene, WebGLRenderer } from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { FrameTimes, nextRatio, RATIO_LEAST } from '../ratio.ts';
import type { Venue } from '../venue.ts';
import { Avatars } from './avatars.ts';
import { Blobs } from './blobs.ts';
import { Doors } from './doors.ts';
import { buildHall, type Hall } from './hall.ts';
import { Things } from './things.ts';

/** Frames between two looks at how sharp to draw, and the longest time between them, milliseconds. */
const JUDGE_EVERY = 45;
const JUDGE_MS = 2000;

/** What a frame is: called with the seconds since the last one, and WebXR's frame in a headset. */
export type OnFrame = (dt: number, xr: XRFrame | undefined) => void;

/** What the browser can draw with: nothing, its processor alone, or a graphics card. */
export type Drawing = 'none' | 'software' | 'card';

/** Finds out what the browser draws with. */
export function drawing(): Drawing {
  try {
    const gl = document.createElement('canvas').getContext('webgl2');
    if (gl === null) return 'none';
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const name: unknown = info === null ? '' : gl.getParameter(info.UNMASKED_RENDERER_WEBGL);
    gl.getExtension('WEBGL_lose_context')?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(name)) ? 'software' : 'card';
  } catch {
    return 'none';
  }
}

/** A venue drawn on a canvas. */
export class View {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(60, 1, 0.04, 2000);
  /** What the headset's space is moved by; without one it stays at the origin and the camera moves. */
  readonly rig = new Group();
  readonly hall: Hall;
  readonly things: Things;
  readonly avatars: Avatars;
  readonly doors: Doors;
  readonly blobs: Blobs;
  /** Intervals between frames, and the script's part of each, milliseconds. */
  readonly intervals = new FrameTimes();
  readonly scripts = new FrameTimes();
  /** What a frame does. */
  onFrame: OnFrame = () => undefined;
  #last = 0;
  #sinceJudged = 0;
  #judged = 0;
  #ratio = Math.min(2, devicePixelRatio);
  #settle = 0;
  #presented = false;

  /** `lean` leaves out what a processor alone draws too slowly: shadows of the sun, smooth edges, reflections. */
  constructor(canvas: HTMLCanvasElement, venue: Venue, lean: boolean) {
    this.renderer = new WebGLRenderer({ canvas, antialias: !lean, powerPreference: 'high-performance' });
    const r = this.renderer;
    if (lean) this.#ratio = RATIO_LEAST;
    r.toneMapping = NeutralToneMapping;
    r.toneMappingExposure = 1;
    r.shadowMap.enabled = !lean;
    r.shadowMap.type = PCFShadowMap;
    r.xr.enabled = true;
    r.info.autoReset = true;
    if (!lean) {
      const prefilter = new PMREMGenerator(r);
      this.scene.environment = prefilter.fromScene(new RoomEnvironment(), 0.04).texture;
      this.scene.environmentIntensity = 0.32;
      prefilter.dispose();
    }
    this.rig.add(this.camera);
    this.scene.add(this.rig);
    this.hall = buildHall(this.scene, venue, lean);
    this.blobs = new Blobs(this.scene);
    this.things = new Things(this.scene, venue, lean);
    this.doors = new Doors(this.scene, venue);
    this.avatars = new Avatars(this.scene, lean);
    new ResizeObserver(() => this.#resize()).observe(canvas);
    this.#resize();
    r.setAnimationLoop((now, xr) => this.#frame(now, xr));
  }

  /** Pixels drawn for one of the page's. */
  get ratio(): number {
    return this.#ratio;
  }

  #resize(): void {
    const { clientWidth: w, clientHeight: h } = this.renderer.domElement;
    if (w === 0 || h === 0 || this.renderer.xr.isPresenting) return;
    this.renderer.setPixelRatio(this.#ratio);
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    // A narrow window shows less to the sides, and not everything from far away.
    this.camera.fov = w > h ? 60 : 78;
    this.camera.updateProjectionMatrix();
  }

  #frame(now: number, xr: XRFrame | undefined): void {
    const ms = this.#last === 0 ? 16 : now - this.#last;
    this.#last = now;
    this.intervals.add(ms);
    const { isPresenting } = this.renderer.xr;
    // The headset gave the camera its own lens.
    if (this.#presented && !isPresenting) this.#resize();
    this.#presented = isPresenting;
    const begin = performance.now();
    // After a pause, as in a hidden tab, the world does not leap.
    this.onFrame(Math.min(0.5, ms / 1000), xr);
    // The things of the first frames are in the shadows that are drawn once.
    if (this.#settle < 3 && ++this.#settle === 3) this.hall.shade();
    this.renderer.render(this.scene, this.camera);
    this.scripts.add(performance.now() - begin);
    this.#sinceJudged++;
    const due = this.#sinceJudged >= JUDGE_EVERY || (this.#sinceJudged > 4 && now - this.#judged > JUDGE_MS);
    if (due && !this.renderer.xr.isPresenting) this.#judge(now);
  }

  #judge(now: number): void {
    const last = this.#sinceJudged;
    this.#sinceJudged = 0;
    this.#judged = now;
    if (document.hidden) return;
    const ratio = nextRatio(this.#ratio, this.intervals.quantile(0.9, last), devicePixelRatio);
    if (Math.abs(ratio - this.#ratio) < 0.01) return;
    this.#ratio = ratio;
    this.#resize();
  }
}
