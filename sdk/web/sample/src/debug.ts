/** `window.__venued`: the page as tests and curious developers see it. Described in the sample's README. */
import type { Body, Client, Hand } from '../../src/index.ts';
import type { View } from './scene/view.ts';
import type { Venue, Vec3 } from './venue.ts';
import type { Visit } from './visit.ts';

/** How the picture does. Times in milliseconds over the last 300 frames. */
export interface SceneStats {
  readonly fps: number;
  readonly frameMS: { readonly p50: number; readonly p95: number; readonly p99: number };
  /** The script's part of a frame. */
  readonly scriptMS: { readonly p50: number; readonly p95: number; readonly p99: number };
  readonly frames: number;
  readonly drawCalls: number;
  readonly triangles: number;
  readonly avatars: number;
  /** Pixels drawn for one of the page's. */
  readonly pixelRatio: number;
}

/** What `window.__venued` has. All but `venue` and `scene` only during a visit. */
export interface Exposed {
  readonly venue: Venue;
  readonly client?: Client;
  scene(): SceneStats;
  /** Begins a new measurement of frames. */
  measure(): void;
  /** The own body as it was sent last: metres, venue coordinates. */
  body?(): Body;
  /** Names of the objects that each hand could take now. */
  targets?(): Partial<Record<Hand, string>>;
  /** Names of the objects that each hand holds, as the page shows it. */
  held?(): Partial<Record<Hand, string>>;
  /** How open each door is drawn, by its name: 0 to 1. */
  doors(): Record<string, number>;
  /** Turns the eyes to a point; without a headset. */
  lookAt?(point: Vec3): void;
  /** A point of the venue in the headset's own space. */
  toSpace?(point: Vec3): Vec3;
  /** Is the visit in the headset now? */
  presenting?(): boolean;
}

/** Puts the page's inside where tests find it. */
export function expose(view: View, venue: Venue, client?: Client, visit?: Visit): void {
  const exposed: Exposed = {
    venue,
    scene: () => stats(view),
    measure: () => {
      view.intervals.clear();
      view.scripts.clear();
    },
    doors: () => Object.fromEntries(venue.doors.map((d, i) => [d.name, view.doors.openness(i)])),
    ...(client === undefined || visit === undefined ? {} : during(client, visit)),
  };
  (window as { __venued?: Exposed }).__venued = exposed;
}

function during(client: Client, visit: Visit): Partial<Exposed> {
  const names = (of: (hand: Hand) => string | undefined): Partial<Record<Hand, string>> => {
    const found: Partial<Record<Hand, string>> = {};
    for (const hand of ['left', 'right'] as const) {
      const name = of(hand);
      if (name !== undefined) found[hand] = name;
    }
    return found;
  };
  return {
    client,
    body: () => visit.body,
    targets: () => names((hand) => visit.grasp.target(hand)?.entity.name),
    held: () => names((hand) => visit.around.held[hand]?.entity.name),
    lookAt: (point) => {
      const { at } = visit.self.eyes();
      const [x, y, z] = [point[0] - at.x, point[1] - at.y, point[2] - at.z];
      visit.self.look.yaw = Math.atan2(-x, -z);
      visit.self.look.pitch = Math.atan2(y, Math.hypot(x, z));
    },
    toSpace: (point) => visit.headset.toSpace(point),
    presenting: () => visit.headset.on,
  };
}

function stats(view: View): SceneStats {
  const { intervals, scripts, renderer, avatars, ratio } = view;
  const of = (t: typeof intervals): { p50: number; p95: number; p99: number } => ({
    p50: t.quantile(0.5), p95: t.quantile(0.95), p99: t.quantile(0.99),
  });
  return {
    fps: intervals.fps(), frameMS: of(intervals), scriptMS: of(scripts), frames: intervals.count,
    drawCalls: renderer.info.render.calls, triangles: renderer.info.render.triangles, avatars: avatars.count, pixelRatio: ratio,
  };
}
