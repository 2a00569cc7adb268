import { describe, expect, it } from 'vitest';
import { actionOf, isOurs, isTap, Keys, padStick, SnapTurn, stick, STICK_RADIUS, turnBy, wrap } from '../src/input.ts';

describe('keys', () => {
  it('walk by letters and arrows, and opposite ones cancel out', () => {
    const k = new Keys();
    k.press('KeyW');
    k.press('KeyD');
    expect(k.want()).toEqual({ right: 1, ahead: 1, turn: 0, run: false });
    k.press('KeyS');
    expect(k.want().ahead).toBe(0);
    k.lift('KeyS');
    k.press('ArrowUp');
    expect(k.want().ahead).toBe(1);
  });

  it('run with shift and turn with arrows', () => {
    const k = new Keys();
    k.press('ShiftRight');
    k.press('ArrowLeft');
    expect(k.want()).toEqual({ right: 0, ahead: 0, turn: 1, run: true });
  });

  it('count once while they repeat, and are all up when the window loses the focus', () => {
    const k = new Keys();
    expect([k.press('KeyE'), k.press('KeyE')]).toEqual([true, false]);
    k.clear();
    expect(k.press('KeyE')).toBe(true);
  });

  it('mean what the page says, and nothing else', () => {
    expect(['KeyE', 'KeyQ', 'KeyF', 'KeyH'].map(actionOf)).toEqual(['grabRight', 'grabLeft', 'use', 'panel']);
    expect(actionOf('KeyW')).toBeUndefined();
    expect(actionOf('constructor')).toBeUndefined();
    expect([isOurs('KeyA'), isOurs('F5'), isOurs('toString')]).toEqual([true, false, false]);
  });
});

describe('the stick', () => {
  it('means nothing for a trembling thumb, all at its edge, and no more beyond', () => {
    expect(stick(3, 2)).toEqual({ right: 0, ahead: 0 });
    expect(stick(STICK_RADIUS, 0).right).toBeCloseTo(1);
    expect(stick(0, -3 * STICK_RADIUS).ahead).toBeCloseTo(1);
    expect(stick(0, STICK_RADIUS / 2).ahead).toBeLessThan(-0.3);
  });
  it('reads a gamepad alike', () => {
    expect(padStick(0, 0)).toEqual({ right: 0, ahead: 0 });
    expect(padStick(0, -1).ahead).toBeCloseTo(1);
  });
});

describe('looking', () => {
  it('turns right and down with the pointer, and never over the top', () => {
    const look = { yaw: 0, pitch: 0 };
    turnBy(look, 100, 50, 0.01);
    expect(look).toEqual({ yaw: -1, pitch: -0.5 });
    turnBy(look, 0, -10_000, 0.01);
    expect(look.pitch).toBeCloseTo((85 * Math.PI) / 180);
  });
  it('goes around', () => {
    const look = { yaw: 3, pitch: 0 };
    turnBy(look, -50, 0, 0.01);
    expect(look.yaw).toBeCloseTo(3.5 - 2 * Math.PI);
    expect(wrap(7)).toBeCloseTo(7 - 2 * Math.PI);
  });
});

describe('a tap', () => {
  it('is short and goes nowhere', () => {
    expect([isTap(2, 3, 100), isTap(20, 0, 100), isTap(0, 0, 900)]).toEqual([true, false, false]);
  });
});

describe('a snap turn', () => {
  it('turns once for each push', () => {
    const s = new SnapTurn();
    expect([0.2, 0.8, 1, 0.6, 0.8, 0.1, -0.9].map((x) => s.read(x, 0.5))).toEqual([0, -0.5, 0, 0, 0, 0, 0.5]);
  });
});
