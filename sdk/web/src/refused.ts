import { codeMeaning, codeName, retryOf, type Retry } from './codes.ts';

/** The venue said no: to joining, to coming back, or to staying. `message` is for people. */
export class Refused extends Error {
  /** Code of docs/protocol.md, section 7. */
  readonly code: number;
  /** Its stable name, such as `wrong_venue`. */
  override readonly name: string;
  /** What to do: `resume`, `later`, `new_token`, `yes` (again) or `no`. */
  readonly retry: Retry;
  /** HTTP status of the refusal, 0 when it came another way. */
  readonly status: number;

  /** Makes a refusal; an empty message becomes the code's meaning. */
  constructor(code: number, message = '', status = 0, retry: Retry = retryOf(code)) {
    super(message || codeMeaning(code) || `The venue refused with code ${code}.`);
    this.code = code;
    this.name = codeName(code);
    this.retry = retry;
    this.status = status;
  }
}
