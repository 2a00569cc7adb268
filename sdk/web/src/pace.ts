// When to send what: samples at the times the venue assigned, pings, and watching for silence.

// A few pings at once after connecting, to know the clock well soon; then now and then. Microseconds.
const QUICK_PINGS = 5;
const QUICK_PING_US = 150_000;
const PING_US = 2_000_000;
/** How long a link may bring nothing before it is asked, doubted, and given up. Microseconds. */
export const ASK_US = 1_000_000;
export const DOUBT_US = 2_500_000;
export const SILENCE_US = 6_000_000;
const ASK_AGAIN_US = 500_000;
// A timer this late was held back with everything else: what came meanwhile may not have been delivered yet.
const FROZEN_US = 1_000_000;

/** The venue's sampling plan, from the welcome: times are microseconds on the server's timeline. */
export interface Plan {
  readonly t0US: number;
  readonly phaseUS: number;
  readonly uploadHz: number;
}

/** What the pace does. */
export interface Actions {
  ping(): void;
  sample(): void;
  /** The link has been silent for long enough to be doubted (once until it is heard again), or to be given up. */
  doubt(): void;
  giveUp(): void;
}

/**
 * The first nominal sample time after now: phase plus a multiple of the period. One that is less than a quarter of a
 * period away is left out, since the sample just sent stands for it.
 */
export function nextSample(nowUS: number, plan: Plan): number {
  const period = 1e6 / plan.uploadHz;
  const phase = plan.t0US + plan.phaseUS;
  const next = phase + (Math.floor((nowUS - phase) / period) + 1) * period;
  return next - nowUS < period / 4 ? next + period : next;
}

/** The pace of one connection: `step` does what is due. */
export class Pace {
  readonly #plan: Plan;
  readonly #do: Actions;
  #next = 0; // server time of the next sample; 0 = not chosen yet
  #pings = 0;
  #pingAt = 0; // local
  #heardAt: number;
  #steppedAt: number;
  #wait = 0;
  #doubted = false;

  constructor(plan: Plan, actions: Actions, localUS: number) {
    this.#plan = plan;
    this.#do = actions;
    this.#heardAt = this.#steppedAt = localUS;
  }

  /** Something came. */
  heard(localUS: number): void {
    this.#heardAt = localUS;
    this.#doubted = false;
  }

  /** Does what is due at a local and a server time; the result is how long to wait, microseconds. */
  step(localUS: number, serverUS: number): number {
    if (localUS - this.#steppedAt > this.#wait + FROZEN_US) this.#heardAt = Math.max(this.#heardAt, localUS - ASK_US);
    this.#steppedAt = localUS;
    const silent = localUS - this.#heardAt;
    if (silent > SILENCE_US) {
      this.#do.giveUp();
      return (this.#wait = SILENCE_US);
    }
    if (silent > DOUBT_US && !this.#doubted) {
      this.#doubted = true;
      this.#do.doubt();
    }
    if (silent >= ASK_US) this.#pingAt = Math.min(this.#pingAt, Math.max(localUS, this.#askedAt + ASK_AGAIN_US));
    if (localUS >= this.#pingAt || this.#pingAt - localUS > PING_US) {
      this.#do.ping();
      this.#askedAt = localUS;
      this.#pingAt = localUS + (++this.#pings < QUICK_PINGS ? QUICK_PING_US : PING_US);
    }
    // A clock that was corrected by far changes the plan at once.
    if (serverUS >= this.#next || this.#next - serverUS > 2e6 / this.#plan.uploadHz) {
      if (this.#next !== 0) this.#do.sample();
      this.#next = nextSample(serverUS, this.#plan);
    }
    return (this.#wait = Math.max(0, this.#next - serverUS));
  }

  #askedAt = -Infinity;
}
