import { Malformed } from "./malformed";
import { kindOf, type Kind } from "./msgpack-kind";

/**
 * Reads MessagePack. Every length is checked against the bytes that are there, and nothing is allocated on the word of a
 * header alone.
 * @throws Malformed where the bytes are no MessagePack, or another kind of value than was asked for.
 */
export class MsgpackReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get done(): boolean {
    return this.#at === this.#bytes.length;
  }

  peek(): Kind {
    const code = this.#bytes[this.#at];
    if (code === undefined) throw new Malformed("the value ends too early");
    return kindOf(code);
  }

  nil(): void {
    this.#expect("nil");
    this.#at += 1;
  }

  bool(): boolean {
    this.#expect("bool");
    return this.#bytes[this.#at++] === 0xc3;
  }

  /** An integer in its one form, or a float; a float is told apart by `onFloat`. */
  number(onFloat: (value: number) => number): number | bigint {
    this.#expect("number");
    const code = this.#u8();
    if (code < 0x80) return code;
    if (code >= 0xe0) return code - 0x100;
    // Integers: 0xcc to 0xcf unsigned, 0xd0 to 0xd3 signed, of 1, 2, 4 and 8 bytes.
    const size = 2 ** (code & 3);
    switch (code) {
      case 0xca:
        return onFloat(this.#bytes.readFloatBE(this.#take(4)));
      case 0xcb:
        return onFloat(this.#bytes.readDoubleBE(this.#take(8)));
      case 0xcf:
        return exact(this.#bytes.readBigUInt64BE(this.#take(8)));
      case 0xd3:
        return exact(this.#bytes.readBigInt64BE(this.#take(8)));
      default:
        return code < 0xd0
          ? this.#bytes.readUIntBE(this.#take(size), size)
          : this.#bytes.readIntBE(this.#take(size), size);
    }
  }

  string(): string {
    this.#expect("string");
    const code = this.#u8();
    const size = code < 0xc0 ? code & 0x1f : this.#length(code - 0xd9);
    const start = this.#take(size);
    return this.#bytes.toString("utf8", start, start + size);
  }

  /** The bytes of a binary, or of a string: some writers know only one of the two. */
  binary(): Buffer {
    if (this.peek() === "string") return Buffer.from(this.string());
    this.#expect("binary");
    const size = this.#length(this.#u8() - 0xc4);
    const start = this.#take(size);
    return this.#bytes.subarray(start, start + size);
  }

  array(): number {
    this.#expect("array");
    const code = this.#u8();
    return this.#countable(code < 0xc0 ? code & 0x0f : this.#length(code - 0xdc + 1));
  }

  map(): number {
    this.#expect("map");
    const code = this.#u8();
    return this.#countable(code < 0xc0 ? code & 0x0f : this.#length(code - 0xde + 1));
  }

  extension(): { readonly type: number; readonly body: Buffer } {
    this.#expect("extension");
    const code = this.#u8();
    const size = code >= 0xd4 ? 2 ** (code - 0xd4) : this.#length(code - 0xc7);
    const type = this.#u8();
    const start = this.#take(size);
    return { type, body: this.#bytes.subarray(start, start + size) };
  }

  /** Passes over the next value, whatever it is. */
  skip(): void {
    // A count instead of recursion, so that no depth of nesting can exhaust the stack.
    for (let left = 1; left > 0; left--) {
      switch (this.peek()) {
        case "nil":
        case "bool":
          this.#at += 1;
          break;
        case "number":
          this.number((float) => float);
          break;
        case "string":
          this.string();
          break;
        case "binary":
          this.binary();
          break;
        case "extension":
          this.extension();
          break;
        case "array":
          left += this.array();
          break;
        case "map":
          left += 2 * this.map();
          break;
      }
    }
  }

  /** A big-endian length of 1, 2 or 4 bytes. */
  #length(exponent: number): number {
    const size = 2 ** exponent;
    return this.#bytes.readUIntBE(this.#take(size), size);
  }

  /** Each element takes a byte at least, so a greater count is a lie. */
  #countable(count: number): number {
    if (count > this.#bytes.length - this.#at) throw new Malformed("the value ends too early");
    return count;
  }

  #u8(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  #take(size: number): number {
    const start = this.#at;
    if (size > this.#bytes.length - start) throw new Malformed("the value ends too early");
    this.#at += size;
    return start;
  }

  #expect(kind: Kind): void {
    const found = this.peek();
    if (found !== kind) throw new Malformed(`a ${kind} was expected, but a ${found} came`);
  }
}

function exact(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}
