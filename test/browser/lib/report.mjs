// What a script says to its test: a line of JSON for each thing checked or measured, and what it waits for.
import { setTimeout as pause } from 'node:timers/promises';

/** How long anything may take before a script gives up, milliseconds: far above what it takes. */
export const PATIENCE = 30_000;

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Runs `prove` and reports that what `what` says holds, or why it does not. Returns what `prove` returns. */
export async function check(what, prove) {
  const from = performance.now();
  try {
    const proof = await prove();
    say({ check: what, ok: true, ms: Math.round(performance.now() - from) });
    return proof;
  } catch (e) {
    say({ check: what, ok: false, why: String(e?.message ?? e) });
    throw new Told(what, e);
  }
}

/** A failure that has been reported already. */
export class Told extends Error {
  constructor(what, cause) {
    super(`not so: ${what}`, { cause });
  }
}

/** Reports a figure as it is: it decides about nothing. */
export function figure(name, value) {
  say({ figure: name, value });
}

/** Throws unless `holds`; the message says what was wanted, and `found` what there was. */
export function want(holds, what, found) {
  if (!holds) throw new Error(found === undefined ? `want ${what}` : `want ${what}; found ${show(found)}`);
}

/**
 * Asks again and again until the answer is truthy, and returns it. `what` says what is waited for, in case it does
 * not come: then the message shows what `found`, or else the last answer, said.
 */
export async function until(what, ask, { ms = PATIENCE, found } = {}) {
  const end = performance.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > end) {
      throw new Error(`waited ${ms / 1000} s for ${what}; found ${show(found ? await found() : answer)}`);
    }
    await pause(30);
  }
}

const show = (v) => {
  const text = typeof v === 'string' ? v : JSON.stringify(v);
  return text !== undefined && text.length > 1500 ? `${text.slice(0, 1500)} ...` : text;
};
