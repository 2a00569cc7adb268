import { codeMeaning, codeName, retryOf, type Retry } from './codes.ts';

/** Names of refusals that come from this side; their code is 0. */
export type LocalRefusal = 'unreachable' | 'unsupported' | 'left' | 'session_lost' | 'busy' | 'outcome_unknown';

/** A client cannot join, come back or stay. `message` is for people: what is wrong, and what to do. */
export class Refused extends Error {
  /** Code of docs/protocol.md, section 7; 0 when this side found it. */
  readonly code: number;
  /** Its stable name, such as `wrong_venue`, or a {@link LocalRefusal}. */
  override readonly name: string;
  /** What helps: `resume`, `later`, `new_token`, `yes` (the same again) or `no`. */
  readonly retry: Retry;
  /** HTTP status of the refusal, 0 when it came another way. */
  readonly status: number;

  /** Makes a refusal by the venue; an empty message becomes the code's meaning. */
  constructor(code: number, message = '', status = 0, local?: { name: LocalRefusal; retry: Retry }) {
    super(message || codeMeaning(code) || `The venue refused with code ${code}.`);
    this.code = code;
    this.name = local?.name ?? codeName(code);
    this.retry = local?.retry ?? retryOf(code);
    this.status = status;
  }

  /** Makes a refusal that this side found. */
  static local(name: LocalRefusal, message: string, retry: Retry = 'no'): Refused {
    return new Refused(0, message, 0, { name, retry });
  }
}

/** Words for people of whatever was thrown. */
export function reasonOf(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
