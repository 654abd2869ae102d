import { MalformedMessage } from "./malformed-message";

export const VARINT = 0;
const FIXED64 = 1;
export const DELIMITED = 2;
const FIXED32 = 5;

/**
 * Reads Protocol Buffers' wire format.
 * @throws MalformedMessage where the bytes end too early or mean nothing.
 */
export class Reader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = start;
    this.#end = end;
  }

  get done(): boolean {
    return this.#at >= this.#end;
  }

  tag(): { readonly field: number; readonly wireType: number } {
    const tag = this.varint();
    const field = Math.floor(tag / 8);
    if (field < 1 || field > 0x1fff_ffff) throw new MalformedMessage("a field has no number");
    return { field, wireType: tag % 8 };
  }

  /** A whole number of up to 64 bits, read as signed; one beyond 2^53 comes rounded, and no message of ours holds such. */
  varint(): number {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      low += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return low;
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value += BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new MalformedMessage("a number is too long");
  }

  /** A reader for a delimited part. */
  part(): Reader {
    const start = this.#take(this.varint());
    return new Reader(this.#bytes, start, this.#at);
  }

  /** The bytes of a delimited part; they share memory with the message. */
  bytes(): Buffer {
    const start = this.#take(this.varint());
    return this.#bytes.subarray(start, this.#at);
  }

  string(): string {
    const start = this.#take(this.varint());
    return this.#bytes.toString("utf8", start, this.#at);
  }

  /** Passes over a field that this version doesn't know. */
  skip(wireType: number): void {
    if (wireType === VARINT) this.varint();
    else if (wireType === FIXED64) this.#take(8);
    else if (wireType === DELIMITED) this.#take(this.varint());
    else if (wireType === FIXED32) this.#take(4);
    else throw new MalformedMessage(`wire type ${wireType} is none of proto3's`);
  }

  #byte(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  #take(size: number): number {
    const start = this.#at;
    if (size < 0 || size > this.#end - start) throw new MalformedMessage("the message ends too early");
    this.#at += size;
    return start;
  }
}
