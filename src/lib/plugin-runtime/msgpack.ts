/** Reads and writes MessagePack as far as Terraform's values need it. */
import { normalNumber } from "../values";
import { ByteBuffer } from "./byte-buffer";

/** The kind of value that MessagePack announces with its first byte. */
type Kind = "nil" | "bool" | "number" | "string" | "binary" | "array" | "map" | "extension";

/** @throws Malformed if no value begins so. */
function kindOf(code: number): Kind {
  if (code < 0x80 || code >= 0xe0) return "number";
  if (code < 0x90) return "map";
  if (code < 0xa0) return "array";
  if (code < 0xc0) return "string";
  const kind = kindOfCode[code - 0xc0];
  if (kind === undefined) throw new Malformed(`byte 0x${code.toString(16)} starts no value`);
  return kind;
}

/** Kinds of the codes from 0xc0 to 0xdf. */
const kindOfCode: readonly (Kind | undefined)[] = [
  "nil",
  undefined,
  "bool",
  "bool",
  ...Array<Kind>(3).fill("binary"),
  ...Array<Kind>(3).fill("extension"),
  ...Array<Kind>(10).fill("number"),
  ...Array<Kind>(5).fill("extension"),
  ...Array<Kind>(3).fill("string"),
  ...Array<Kind>(2).fill("array"),
  ...Array<Kind>(2).fill("map"),
];

/**
 * Reads MessagePack. Every length is checked against the bytes that are there, and nothing is allocated on the word of a
 * header alone.
 * @throws Malformed if the bytes are no MessagePack, or another kind of value than was asked for.
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

  nil(): null {
    this.#expect("nil");
    this.#at += 1;
    return null;
  }

  bool(): boolean {
    this.#expect("bool");
    return this.#bytes[this.#at++] === 0xc3;
  }

  /** An integer in its one form, or a float, which is finite. */
  number(): number | bigint {
    this.#expect("number");
    const code = this.#u8();
    if (code < 0x80) return code;
    if (code >= 0xe0) return code - 0x100;
    // Integers: 0xcc to 0xcf unsigned, 0xd0 to 0xd3 signed, of 1, 2, 4 and 8 bytes.
    const size = 2 ** (code & 3);
    switch (code) {
      case 0xca:
        return finite(this.#bytes.readFloatBE(this.#take(4)));
      case 0xcb:
        return finite(this.#bytes.readDoubleBE(this.#take(8)));
      case 0xcf:
        return normalNumber(this.#bytes.readBigUInt64BE(this.#take(8)));
      case 0xd3:
        return normalNumber(this.#bytes.readBigInt64BE(this.#take(8)));
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

  /** A big-endian length of 1, 2 or 4 bytes. */
  #length(exponent: number): number {
    const size = 2 ** exponent;
    return this.#bytes.readUIntBE(this.#take(size), size);
  }

  /** Each element takes a byte at least, so a greater count is wrong. */
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
    const next = this.peek();
    if (next !== kind) throw new Malformed(`a ${kind} was expected, but a ${next} came`);
  }
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Malformed("a number is not finite");
  return value;
}

/** MessagePack, as much of it as Terraform's values need. */
export class MsgpackWriter {
  readonly #out = new ByteBuffer();

  finish(): Buffer {
    return this.#out.bytesWritten();
  }

  get length(): number {
    return this.#out.length;
  }

  /** The bytes that were written from `start` on, as a key: equal for equal bytes. */
  since(start: number): string {
    return this.#out.bytesWritten(start).toString("latin1");
  }

  /** Removes the bytes from `length` on. */
  rewind(length: number): void {
    this.#out.rewind(length);
  }

  nil(): void {
    this.#out.byte(0xc0);
  }

  bool(value: boolean): void {
    this.#out.byte(value ? 0xc3 : 0xc2);
  }

  /** An integer from -2^63 to 2^63 - 1. */
  integer(value: number | bigint): void {
    if (typeof value === "number" && value >= -32 && value < 128) return this.#out.byte(value & 0xff);
    if (typeof value === "number" && value >= -0x8000_0000 && value < 0x8000_0000) {
      const at = this.#header(0xd2, 4);
      this.#out.bytes.writeInt32BE(value, at);
    } else {
      const at = this.#header(0xd3, 8);
      this.#out.bytes.writeBigInt64BE(BigInt(value), at);
    }
  }

  string(text: string): void {
    const size = Buffer.byteLength(text);
    if (size < 32) this.#out.byte(0xa0 | size);
    else this.#sized(0xd9, size);
    this.#out.text(text, size);
  }

  extension(type: number, bytes: Uint8Array): void {
    if (bytes.length === 1) this.#out.byte(0xd4);
    else this.#sized(0xc7, bytes.length);
    this.#out.byte(type);
    this.#out.append(bytes);
  }

  array(length: number): void {
    if (length < 16) this.#out.byte(0x90 | length);
    else this.#counted(0xdd, length);
  }

  /** Starts an array. The caller passes its length to the returned function afterwards. */
  openArray(): (length: number) => void {
    const at = this.#header(0xdd, 4);
    return (length) => this.#out.bytes.writeUInt32BE(length, at);
  }

  map(length: number): void {
    if (length < 16) this.#out.byte(0x80 | length);
    else this.#counted(0xdf, length);
  }

  /** A size of one, two or four bytes; their codes follow each other. */
  #sized(code: number, size: number): void {
    if (size < 0x100) {
      const at = this.#header(code, 1);
      this.#out.bytes.writeUInt8(size, at);
    } else if (size < 0x1_0000) {
      const at = this.#header(code + 1, 2);
      this.#out.bytes.writeUInt16BE(size, at);
    } else this.#counted(code + 2, size);
  }

  #counted(code: number, count: number): void {
    const at = this.#header(code, 4);
    this.#out.bytes.writeUInt32BE(count, at);
  }

  /** Writes the leading byte and gives the place for the `size` bytes that follow it. */
  #header(code: number, size: number): number {
    this.#out.byte(code);
    return this.#out.reserve(size);
  }
}

/** Bytes that break the protocol. */
export class Malformed extends Error {
  constructor(what: string) {
    super(what);
    this.name = "Malformed";
  }
}
