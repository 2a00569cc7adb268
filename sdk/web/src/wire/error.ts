import { codeName } from '../codes.ts';

/** A message that cannot be read: where, and what is wrong with it. */
export class WireError extends Error {
  /** Code of docs/protocol.md: 100 form, 101 version, 102 a value. */
  readonly code: number;
  /** Where: `head.pos.x`, `length`, `byte 0`, `record 3: handle`. */
  readonly field: string;
  /** What is wrong, without the two. */
  readonly detail: string;

  constructor(code: number, field: string, detail: string) {
    super(`${codeName(code)}: ${field}: ${detail}`);
    this.name = 'WireError';
    this.code = code;
    this.field = field;
    this.detail = detail;
  }
}
