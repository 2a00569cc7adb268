import { describe, expect, it } from 'vitest';
import { byGaze, byHand, type Target } from '../src/reach.ts';

const at = (id: string, p: [number, number, number], more: Partial<Target> = {}): Target => ({
  id, at: p, radius: 0.1, grabbable: true, usable: false, taken: false, ...more,
});
const ahead = [0, 0, -1] as const;
const eye = [0, 1.6, 0] as const;

describe('by a look', () => {
  it('is what is nearest to the gaze', () => {
    const targets = [at('beside', [0.15, 1.6, -1]), at('there', [0.01, 1.6, -1]), at('off', [1, 1.6, -1])];
    expect(byGaze(targets, eye, ahead, 3)?.id).toBe('there');
  });
  it('is the nearer of two in a line', () => {
    expect(byGaze([at('far', [0, 1.6, -2]), at('near', [0, 1.6, -1])], eye, ahead, 3)?.id).toBe('near');
  });
  it('is nothing too far away, behind, beside, held by others, or of no use', () => {
    const none = [
      at('far', [0, 1.6, -5]), at('behind', [0, 1.6, 1]), at('beside', [0.6, 1.6, -1]), at('taken', [0, 1.6, -1], { taken: true }),
      at('furniture', [0, 1.6, -1], { grabbable: false }), at('in the eye', [0, 1.6, 0]),
    ];
    expect(byGaze(none, eye, ahead, 3)).toBeUndefined();
  });
  it('takes what can only be used', () => {
    expect(byGaze([at('bell', [0, 1.6, -1], { grabbable: false, usable: true })], eye, ahead, 3)?.id).toBe('bell');
  });
});

describe('by a hand', () => {
  it('is the nearest within reach', () => {
    const targets = [at('a', [0.3, 1, 0]), at('b', [0.2, 1, 0]), at('c', [0.1, 1, 0], { taken: true })];
    expect(byHand(targets, [0, 1, 0], 0.5)?.id).toBe('b');
    expect(byHand(targets, [0, 1, 0], 0.15)).toBeUndefined();
  });
});
