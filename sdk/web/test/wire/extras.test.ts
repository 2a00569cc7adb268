import { expect, test } from 'vitest';
import type { LatticeExtras } from '../../src/wire/extras.ts';
import { View } from '../../src/wire/view.ts';
import { FrameWriter, state } from '../support/framewriter.ts';

const ann = { id: '9', kind: 1, class: 0, name: 'Ann' };
const frame = (seq: number) => new FrameWriter({ seq, tick: seq });
const gaze = { yaw: 3, pitch: -4 };
const root = { off: { x: 1, y: -1700, z: 2 }, yaw: 7 };

test('each stream stays as it was said last, until an enter or its end', () => {
  const view = new View();
  const shown = (): LatticeExtras | undefined => view.extras(2)?.extras;
  view.apply(frame(1).enter(2, ann, state()).done());
  expect(view.extras(2)).toEqual({ id: '9', extras: {} });
  view.apply(frame(2).extras(2, { gaze }).done());
  view.apply(frame(4).extras(2, { root }).done());
  expect(shown()).toEqual({ gaze, root });
  expect(view.apply(frame(3).extras(2, { gaze: null }).done()).stale).toBe(true);
  expect(shown()).toEqual({ gaze, root });
  view.apply(frame(5).extras(2, { gaze: null }).done());
  expect(shown()).toEqual({ gaze: null, root });
  view.apply(frame(6).enter(2, ann, state()).done());
  expect(shown()).toEqual({});
  view.apply(frame(7).extras(2, { gaze }).leave(2).done());
  expect(view.extras(2)).toBeNull();
});

test('a frame with extras of an unknown handle changes nothing', () => {
  const view = new View();
  view.apply(frame(1).enter(2, ann, state()).done());
  expect(() => view.apply(frame(2).extras(2, { gaze }).extras(3, { gaze }).done())).toThrow('3 is not bound');
  expect(view.extras(2)?.extras).toEqual({});
  expect(view.ack()).toEqual({ seq: 1, bits: 0 });
});
