import { describe, expect, test } from 'vitest';
import { curlsOf, ExtrasPace, fromLatticeExtras, toLatticeExtras } from '../src/extras.ts';
import type { Extras, Vec3 } from '../src/types.ts';
import { World } from '../src/world.ts';
import { FrameWriter, state } from './support/framewriter.ts';

const full: Extras = {
  gaze: { yaw: 0.5, pitch: -0.25 }, fingers: { left: null, right: [0, 0.25, 0.5, 0.75, 1] }, root: { offset: [0.1, -1.7, 0], yaw: 3 },
};
const none = { gaze: null, fingers: null, root: null };

describe('on the lattice', () => {
  test('streams come back as they were, but for a step', () => {
    const back = fromLatticeExtras(toLatticeExtras(full));
    expect(back.gaze?.yaw).toBeCloseTo(0.5, 2);
    expect(back.gaze?.pitch).toBeCloseTo(-0.25, 2);
    expect(back.fingers?.left).toBeNull();
    back.fingers?.right?.forEach((c, i) => expect(Math.abs(c - i / 4)).toBeLessThan(0.02));
    expect(back.root?.offset[1]).toBeCloseTo(-1.7, 3);
    expect(back.root?.yaw).toBeCloseTo(3, 2);
  });

  test('what is beyond the range is cut, what is not there is null, what is no number is refused by name', () => {
    expect(toLatticeExtras({ gaze: { yaw: 9, pitch: -9 }, root: { offset: [99, -99, 0], yaw: -0.0001 } })).toEqual({
      gaze: { yaw: 255, pitch: -256 }, fingers: null, root: { off: { x: 4095, y: -4096, z: 0 }, yaw: 0 },
    });
    expect(toLatticeExtras({ fingers: { left: null } })).toEqual(none);
    expect(() => toLatticeExtras({ gaze: { yaw: NaN, pitch: 0 } })).toThrow('gaze.yaw is NaN');
    expect(() => toLatticeExtras({ fingers: { right: [0, 0, Infinity, 0, 0] } })).toThrow('fingers.right[2]');
    expect(() => toLatticeExtras({ fingers: { left: [1, 2] as never } })).toThrow('has 2 fingers');
    expect(() => toLatticeExtras({ root: { offset: [0, NaN, 0], yaw: 0 } })).toThrow('root.offset[1]');
  });
});

describe('the pace', () => {
  test.each([20, 30, 60])('each stream has its rate at %i samples a second, and its end is told for a second', (hz) => {
    const pace = new ExtrasPace();
    const told = { gaze: 0, fingers: 0, root: 0 };
    let at = 77e6;
    pace.set(toLatticeExtras(full), at);
    for (let i = 0; i < 10 * hz; i++, at += 1e6 / hz) {
      const said = pace.take(at, 1e6 / hz);
      for (const s of ['gaze', 'fingers', 'root'] as const) if (said[s]) told[s]++;
    }
    for (const [s, want] of [['gaze', 150], ['fingers', 100], ['root', 50]] as const) {
      expect(told[s], s).toBeGreaterThanOrEqual(want * 0.9);
      expect(told[s], s).toBeLessThanOrEqual(want + 2);
    }
    pace.set(toLatticeExtras({ gaze: { yaw: 0, pitch: 0 } }), at);
    const until = at + 1e6;
    let ends = 0;
    for (let i = 0; i < 3 * hz; i++, at += 1e6 / hz) {
      const said = pace.take(at, 1e6 / hz);
      if (said.fingers === undefined) continue;
      expect(said.fingers).toBeNull();
      expect(at).toBeLessThan(until);
      ends++;
    }
    expect(ends).toBeGreaterThanOrEqual(8);
  });

  test('says nothing when nothing was ever set', () => {
    expect(new ExtrasPace().take(1e6, 33_333)).toEqual({});
  });
});

// A hand whose joints bend by the same angle each.
function hand(bend: number): (joint: string) => Vec3 | null {
  const names = ['metacarpal', 'phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip'];
  return (joint) => {
    let n = names.findIndex((name) => joint.endsWith(name));
    if (joint.startsWith('thumb') && n > 2) n--;
    let p: Vec3 = [0, 0, 0];
    for (let i = 0; i < n; i++) p = [p[0], p[1] - 0.03 * Math.sin(i * bend), p[2] - 0.03 * Math.cos(i * bend)];
    return p;
  };
}

test('curls of WebXR joints', () => {
  expect(curlsOf(hand(0))).toEqual([0, 0, 0, 0, 0]);
  const half = curlsOf(hand((110 / 180 / 3) * Math.PI));
  expect(half?.[1]).toBeCloseTo(0.5, 5);
  expect(curlsOf(hand(1.5))).toEqual([1, 1, 1, 1, 1]);
  expect(curlsOf((j) => (j === 'ring-finger-tip' ? null : hand(0)(j)))).toBeNull();
});

test('entities show what frames say of optional streams and of who speaks', () => {
  const world = new World({ nowUS: () => 1e6, estimateUS: () => 1e6, entity: () => '1', body: () => null, enter: () => undefined, leave: () => undefined });
  world.connected({ tick: 0, t0US: 0, tickUS: 33_333, sendHz: 30 }, true);
  const ann = { id: '9', kind: 1, class: 0, name: 'Ann' };
  const frame = (n: number) => new FrameWriter({ seq: n, tick: n });
  const shown = () => world.entities.get('9');
  world.frame(frame(1).enter(2, ann, state()).done());
  expect(shown()?.state.speaking).toBe(false);
  expect(shown()?.extras).toEqual(none);
  world.frame(frame(2).full(2, state({ flags: 16 })).extras(2, toLatticeExtras(full)).done());
  expect(shown()?.state.speaking).toBe(true);
  expect(shown()?.extras.root?.offset[1]).toBeCloseTo(-1.7, 3);
  world.frame(frame(3).extras(2, { gaze: null }).done());
  expect(shown()?.extras.gaze).toBeNull();
  expect(shown()?.extras.root).not.toBeNull();
  world.frame(frame(4).enter(2, ann, state()).done());
  expect(shown()?.extras).toEqual(none);
});
