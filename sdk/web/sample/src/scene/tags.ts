/** Text in the hall: names above heads, labels on things. Drawn with a canvas, so it is only ever text. */
import {
  CanvasTexture, LinearFilter, LinearMipmapLinearFilter, Mesh, MeshBasicMaterial, PlaneGeometry, Sprite, SpriteMaterial, SRGBColorSpace,
} from 'three';
import { cut, fit } from '../text.ts';

/** How a tag looks. */
export interface TagStyle {
  /** Height of the tag, metres. */
  readonly height: number;
  readonly ink: string;
  /** Colour behind the text; '' for none. */
  readonly paper: string;
  /** Colour of a dot before the text; '' for none. */
  readonly dot: string;
}

const PIXELS = 72; // height of the canvas
const MOST_WIDE = 640; // pixels
const font = `600 ${PIXELS * 0.46}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif`;

/** Draws a text on a canvas, which takes the size that it needs. */
function write(canvas: HTMLCanvasElement, text: string, { ink, paper, dot }: TagStyle): void {
  const c = canvas.getContext('2d');
  if (c === null) return;
  c.font = font;
  const before = dot === '' ? 0 : PIXELS * 0.42;
  const pad = PIXELS * 0.36;
  const shown = fit(cut(text, 64), MOST_WIDE - before - 2 * pad, (t) => c.measureText(t).width);
  const wide = Math.max(PIXELS, Math.ceil(c.measureText(shown).width + before + 2 * pad));
  canvas.height = PIXELS;
  canvas.width = wide;
  c.font = font; // a canvas forgets it with its size
  c.textBaseline = 'middle';
  if (paper !== '') {
    c.fillStyle = paper;
    c.beginPath();
    c.roundRect(3, 7, canvas.width - 6, PIXELS - 14, (PIXELS - 14) / 2);
    c.fill();
  }
  if (dot !== '') {
    c.fillStyle = dot;
    c.beginPath();
    c.arc(pad + PIXELS * 0.1, PIXELS / 2, PIXELS * 0.11, 0, 2 * Math.PI);
    c.fill();
  }
  c.fillStyle = ink;
  c.fillText(shown, pad + before, PIXELS * 0.52);
}

function textureOf(canvas: HTMLCanvasElement): CanvasTexture {
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.anisotropy = 4;
  return texture;
}

/** A text on a plate that is fixed to a wall, facing +z. */
export function plate(text: string, style: TagStyle): Mesh {
  const canvas = document.createElement('canvas');
  write(canvas, text, style);
  const material = new MeshBasicMaterial({ map: textureOf(canvas), transparent: true, depthWrite: false, toneMapped: false });
  return new Mesh(new PlaneGeometry((style.height * canvas.width) / canvas.height, style.height), material);
}

/** A text that faces whoever looks at it. */
export class Tag {
  readonly sprite: Sprite;
  readonly #texture: CanvasTexture;
  readonly #canvas = document.createElement('canvas');
  readonly #style: TagStyle;
  #text = '';
  #zoom = 1;

  constructor(text: string, style: TagStyle) {
    this.#style = style;
    write(this.#canvas, (this.#text = text), style);
    this.#texture = textureOf(this.#canvas);
    this.sprite = new Sprite(new SpriteMaterial({ map: this.#texture, transparent: true, depthWrite: false, toneMapped: false, fog: false }));
    this.sprite.renderOrder = 10;
    this.#size();
  }

  /** Shows another text. */
  set text(text: string) {
    if (text === this.#text) return;
    const { width } = this.#canvas;
    write(this.#canvas, (this.#text = text), this.#style);
    if (this.#canvas.width !== width) this.#texture.dispose();
    this.#texture.needsUpdate = true;
    this.#size();
  }

  get text(): string {
    return this.#text;
  }

  /** Its size, as a multiple of its style's. */
  set zoom(value: number) {
    this.#zoom = value;
    this.#size();
  }

  /** How much of it is seen, 0 to 1. */
  set opacity(value: number) {
    this.sprite.material.opacity = value;
    this.sprite.visible = value > 0.01;
  }

  /** Frees what the graphics card holds. */
  dispose(): void {
    this.sprite.removeFromParent();
    this.sprite.material.dispose();
    this.#texture.dispose();
  }

  #size(): void {
    const height = this.#style.height * this.#zoom;
    this.sprite.scale.set((height * this.#canvas.width) / this.#canvas.height, height, 1);
  }
}
