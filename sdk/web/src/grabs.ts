// Own grabs and releases, shown before the venue has decided, and taken back when it says no.

import { compose } from './math.ts';
import type { Hand, Held, Joint } from './types.ts';

/** What the venue says of an object: its holder and the tick of that. */
export interface Holding {
  readonly holder: string;
  readonly hand: Hand;
  readonly tick: number;
}

interface Prediction {
  readonly kind: 'grab' | 'release';
  readonly hand: Hand;
  readonly seq: number; // of the predictions
  readonly place: Joint; // a release: where it was let go
  decidedAt: number | null; // tick of the venue's yes
}

/**
 * What to show of who holds what. A prediction begins with the request, ends at once when the request is denied, when the
 * venue tells that somebody else got the object, or when the object's state has caught up with the decision.
 */
export class Grabs {
  readonly #predicted = new Map<string, Prediction>();
  readonly #grips = new Map<string, Joint>(); // object relative to the own hand that holds it
  #seq = 0;

  /**
   * Predicts a grab: `grip` is the object as seen from the hand. The result takes the decision: true and its tick, or
   * false. It answers whether that took a prediction back.
   */
  grab(id: string, hand: Hand, grip: Joint): (ok: boolean, tick: number | null) => boolean {
    this.#grips.set(id, grip);
    return this.#predict(id, { kind: 'grab', hand, seq: ++this.#seq, place: grip, decidedAt: null });
  }

  /** Predicts a release at a place; the result as for `grab`. */
  release(id: string, hand: Hand, place: Joint): (ok: boolean, tick: number | null) => boolean {
    return this.#predict(id, { kind: 'release', hand, seq: ++this.#seq, place, decidedAt: null });
  }

  #predict(id: string, p: Prediction): (ok: boolean, tick: number | null) => boolean {
    this.#predicted.set(id, p);
    return (ok, tick) => {
      if (this.#predicted.get(id) !== p) return false; // a later one took its place
      if (ok && tick !== null) {
        p.decidedAt = tick;
        return false;
      }
      this.#predicted.delete(id);
      return true;
    };
  }

  /** The venue told that an avatar got an object; answers whether a prediction was taken back. */
  grabbed(id: string, by: string, own: string): boolean {
    return by !== own && this.#predicted.get(id)?.kind === 'grab' && this.#predicted.delete(id);
  }

  /** Takes an object's newest state: a prediction that it has caught up with ends. */
  state(id: string, s: Holding, own: string): void {
    const p = this.#predicted.get(id);
    if (p && p.decidedAt !== null && s.tick >= p.decidedAt) {
      // A release is shown until what was before it is played out: see released.
      if (p.kind === 'grab') this.#predicted.delete(id);
    }
    if (s.holder !== own && !this.#predicted.has(id)) this.#grips.delete(id);
  }

  /** Playout has reached a tick: releases that are decided before it are shown as the venue has them from now on. */
  playedOut(id: string, tick: number): boolean {
    const p = this.#predicted.get(id);
    if (p?.kind !== 'release' || p.decidedAt === null || tick < p.decidedAt) return false;
    this.#predicted.delete(id);
    this.#grips.delete(id);
    return true;
  }

  /** Who is shown as the holder, given what the venue says. */
  held(id: string, s: Holding, own: string): Held | null {
    const p = this.#predicted.get(id);
    if (p?.kind === 'grab') return { by: own, hand: p.hand, predicted: true };
    if (p?.kind === 'release' || s.holder === '0') return null;
    return { by: s.holder, hand: s.hand, predicted: false };
  }

  /** Where an object that is predicted to be let go is shown. */
  released(id: string): Joint | null {
    const p = this.#predicted.get(id);
    return p?.kind === 'release' ? p.place : null;
  }

  /** Where an object in the own hand is, null while it is not known how it is held. */
  inHand(id: string, hand: Joint): Joint | null {
    const grip = this.#grips.get(id);
    return grip ? compose(hand, grip) : null;
  }

  /** How an object is held, as the venue has it. */
  grip(id: string): Joint | null {
    return this.#grips.get(id) ?? null;
  }

  /** Sets how an object is held. */
  setGrip(id: string, grip: Joint): void {
    this.#grips.set(id, grip);
  }

  /** The object is gone, or the session. */
  forget(id?: string): void {
    if (id === undefined) {
      this.#predicted.clear();
      this.#grips.clear();
      return;
    }
    this.#predicted.delete(id);
    this.#grips.delete(id);
  }
}
