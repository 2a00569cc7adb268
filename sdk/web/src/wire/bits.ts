// Bits as the pose lane packs them: least significant first within each byte, so whole-byte fields are little-endian.

import { Code } from '../codes.gen.ts';
import { WireError } from './error.ts';

/** Reads fields. Reading past the end gives zeros and sets `short`; the caller checks it where a message is complete. */
export class BitReader {
  readonly bytes: Uint8Array;
  /** Next bit. */
  at: number;
  /** A field went past the end. */
  short = false;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Reads an unsigned field of at most 32 bits. */
  get(width: number): number {
    if (this.at + width > this.bytes.length * 8) {
      this.short = true;
      return 0;
    }
    const v = this.peek(width);
    this.at += width;
    return v;
  }

  /** The next bits, at most 32, without reading them; past the end there are zeros. */
  peek(width: number): number {
    if (width === 0) return 0;
    const bytes = this.bytes;
    const i = this.at >>> 3;
    const shift = this.at & 7;
    const low = (bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16) | ((bytes[i + 3] ?? 0) << 24);
    let v = low >>> shift;
    if (shift + width > 32) v |= (bytes[i + 4] ?? 0) << (32 - shift);
    return (width === 32 ? v : v & ((1 << width) - 1)) >>> 0;
  }

  /** Reads bits that peek gave. */
  skip(width: number): void {
    if (this.at + width > this.bytes.length * 8) this.short = true;
    else this.at += width;
  }

  /** Reads one bit. */
  bit(): boolean {
    return this.get(1) === 1;
  }

  /** Reads a two's complement field of 1 to 32 bits. */
  signed(width: number): number {
    return (this.get(width) << (32 - width)) >> (32 - width);
  }

  /** Reads an unsigned number that is led by its length in bytes, minus 1, in `lengthBits` bits. */
  sized(lengthBits: number): bigint {
    const n = this.get(lengthBits) + 1;
    if (n <= 4) return BigInt(this.get(8 * n));
    const low = this.get(32);
    return BigInt(low) | (BigInt(this.get(8 * (n - 4))) << 32n);
  }

  /** How many bits are left. */
  rest(): number {
    return this.bytes.length * 8 - this.at;
  }

  /** Checks that the message ends here: nothing but zero bits of the last byte is left. */
  end(): void {
    if (this.short) {
      throw new WireError(Code.BadMessage, 'length', `cut short: it ends after ${this.bytes.length} bytes, inside a field`);
    }
    const left = this.rest();
    if (left >= 8) throw new WireError(Code.BadMessage, 'length', `too long: ${left >> 3} bytes more than its content`);
    if (this.get(left) !== 0) throw new WireError(Code.BadMessage, 'length', 'the unused bits of the last byte are not zero');
  }
}

/** Writes fields into a buffer that grows. */
export class BitWriter {
  #bytes = new Uint8Array(64);
  #at = 0;

  /** Bits written so far. */
  get length(): number {
    return this.#at;
  }

  /** Writes the low `width` bits of a number or bigint; at most 32 of a number. */
  put(value: number | bigint, width: number): void {
    if (typeof value === 'bigint') {
      for (; width > 32; width -= 32, value >>= 32n) this.put(Number(BigInt.asUintN(32, value)), 32);
      value = Number(BigInt.asUintN(32, value));
    }
    const need = (this.#at + width + 7) >>> 3;
    if (need > this.#bytes.length) {
      const grown = new Uint8Array(2 * need);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    for (let left = width, v = value >>> 0; left > 0; ) {
      const shift = this.#at & 7;
      const take = Math.min(8 - shift, left);
      const i = this.#at >>> 3;
      this.#bytes[i] = (this.#bytes[i] ?? 0) | ((v & ((1 << take) - 1)) << shift);
      v >>>= take;
      left -= take;
      this.#at += take;
    }
  }

  /** Writes one bit. */
  bit(v: boolean): void {
    this.put(v ? 1 : 0, 1);
  }

  /** Writes v led by its length in bytes, minus 1, in `lengthBits` bits. */
  sized(v: bigint, lengthBits: number): void {
    let n = 1;
    while (n < 8 && v >> BigInt(8 * n) !== 0n) n++;
    this.put(n - 1, lengthBits);
    this.put(v, 8 * n);
  }

  /** The bytes written, the last one filled up with zeros. */
  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, (this.#at + 7) >>> 3);
  }
}
