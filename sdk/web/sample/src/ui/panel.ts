/** The panel of figures: how the connection does, and the picture. */
import type { Stats } from '../../../src/index.ts';
import { el, say } from './dom.ts';

/** What the panel shows beside the connection's figures. */
export interface Figures {
  readonly fps: number;
  /** Interval between frames that 95 of 100 are within, milliseconds. */
  readonly frameP95: number;
  /** Other visitors in sight. */
  readonly people: number;
}

type Row = readonly [label: string, value: (s: Stats, f: Figures) => string, bad: (s: Stats, f: Figures) => boolean];

const laneNames: Readonly<Record<string, string>> = { webrtc: 'WebRTC', tcp: 'WebRTC over TCP', ws: 'WebSocket (slower)' };

/** What a lane is called. */
export function laneName(lane: string | null): string {
  return lane === null ? 'none' : (laneNames[lane] ?? lane);
}

const rows: readonly Row[] = [
  ['Round trip', (s) => (s.rttMS === null ? '–' : `${s.rttMS.toFixed(s.rttMS < 10 ? 1 : 0)} ms`), (s) => (s.rttMS ?? 0) > 120],
  ['Rate down / up', (s) => `${s.receivedHz.toFixed(0)} / ${s.sendHz.toFixed(0)} Hz`, (s) => s.throttled],
  ['Loss', (s) => `${(100 * s.lostRatio).toFixed(1)} %`, (s) => s.lostRatio > 0.05],
  ['Pose age', (s) => `${s.poseAgeMS.toFixed(0)} ms`, (s) => s.poseAgeMS > 250],
  ['Playout delay', (s) => `${s.playoutMS.toFixed(0)} ms`, () => false],
  ['Visible', (s, f) => `${f.people} ${f.people === 1 ? 'person' : 'people'}, ${Math.max(0, s.visible - f.people)} things`, () => false],
  ['Lane', (s) => laneName(s.lane), (s) => s.lane === null],
  ['Traffic', (s) => `${traffic(s.bytesDown)} down, ${traffic(s.bytesUp)} up`, () => false],
  ['Picture', (_, f) => `${f.fps.toFixed(0)} fps, p95 ${f.frameP95.toFixed(1)} ms`, (_, f) => f.fps > 0 && f.fps < 40],
];

/** An amount of bytes, for people. */
export function traffic(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The panel; hidden until it is toggled. */
export class Panel {
  readonly #root = el('aside', { class: 'panel', attrs: { 'aria-label': 'Figures' } });
  readonly #values: HTMLElement[] = [];

  constructor(parent: HTMLElement) {
    const list = el('dl');
    for (const [label] of rows) {
      const value = el('dd', { text: '–' });
      this.#values.push(value);
      list.append(el('div', {}, el('dt', { text: label }), value));
    }
    this.#root.append(list);
    this.#root.hidden = true;
    parent.append(this.#root);
  }

  /** Shows or hides it. */
  toggle(): void {
    this.#root.hidden = !this.#root.hidden;
  }

  /** Shows new figures. */
  show(stats: Stats, figures: Figures): void {
    if (this.#root.hidden) return;
    rows.forEach(([, value, bad], i) => {
      const e = this.#values[i];
      if (e === undefined) return;
      say(e, value(stats, figures));
      e.classList.toggle('bad', bad(stats, figures));
    });
  }
}
