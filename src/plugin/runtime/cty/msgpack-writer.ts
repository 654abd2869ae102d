import { ByteBuffer } from "../byte-buffer";

/** MessagePack, as much of it as Terraform's values need. */
export class MsgpackWriter {
  readonly #out = new ByteBuffer();

  finish(): Buffer {
    return this.#out.written();
  }

  get length(): number {
    return this.#out.length;
  }

  /** What was written from `start` on, as a key that is the same for the same bytes. */
  since(start: number): string {
    return this.#out.written(start).toString("latin1");
  }

  /** Forgets what was written from `length` on. */
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

  float(value: number): void {
    const at = this.#header(0xcb, 8);
    this.#out.bytes.writeDoubleBE(value, at);
  }

  string(text: string): void {
    const size = Buffer.byteLength(text);
    if (size < 32) this.#out.byte(0xa0 | size);
    else this.#sized(0xd9, size);
    this.#out.text(text, size);
  }

  binary(bytes: Uint8Array): void {
    this.#sized(0xc4, bytes.length);
    this.#out.append(bytes);
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

  /** Starts an array whose length is told afterwards, by the function that this gives. */
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
