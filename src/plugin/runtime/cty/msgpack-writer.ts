/** MessagePack, as much of it as Terraform's values need, into a growing buffer. */
export class MsgpackWriter {
  #buffer = Buffer.allocUnsafe(512);
  #length = 0;

  /** A copy of what has been written, so that the buffer can serve again. */
  finish(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }

  get length(): number {
    return this.#length;
  }

  /** What was written from `start` on, as a key that is the same for the same bytes. */
  since(start: number): string {
    return this.#buffer.toString("latin1", start, this.#length);
  }

  /** Forgets what was written from `length` on. */
  rewind(length: number): void {
    this.#length = length;
  }

  nil(): void {
    this.#byte(0xc0);
  }

  bool(value: boolean): void {
    this.#byte(value ? 0xc3 : 0xc2);
  }

  /** An integer from -2^63 to 2^63 - 1. */
  integer(value: number | bigint): void {
    if (typeof value === "number" && value >= -32 && value < 128) this.#byte(value & 0xff);
    else if (typeof value === "number" && value >= -0x8000_0000 && value < 0x8000_0000) {
      this.#buffer.writeInt32BE(value, this.#header(0xd2, 4));
    } else this.#buffer.writeBigInt64BE(BigInt(value), this.#header(0xd3, 8));
  }

  float(value: number): void {
    this.#buffer.writeDoubleBE(value, this.#header(0xcb, 8));
  }

  string(text: string): void {
    const size = Buffer.byteLength(text);
    if (size < 32) this.#byte(0xa0 | size);
    else if (size < 0x100) this.#buffer.writeUInt8(size, this.#header(0xd9, 1));
    else if (size < 0x1_0000) this.#buffer.writeUInt16BE(size, this.#header(0xda, 2));
    else this.#buffer.writeUInt32BE(size, this.#header(0xdb, 4));
    this.#buffer.write(text, this.#reserve(size), size);
  }

  binary(bytes: Uint8Array): void {
    if (bytes.length < 0x100) this.#buffer.writeUInt8(bytes.length, this.#header(0xc4, 1));
    else this.#buffer.writeUInt32BE(bytes.length, this.#header(0xc6, 4));
    this.#buffer.set(bytes, this.#reserve(bytes.length));
  }

  extension(type: number, bytes: Uint8Array): void {
    if (bytes.length === 1) this.#byte(0xd4);
    else if (bytes.length < 0x100) this.#buffer.writeUInt8(bytes.length, this.#header(0xc7, 1));
    else this.#buffer.writeUInt16BE(bytes.length, this.#header(0xc8, 2));
    this.#byte(type);
    this.#buffer.set(bytes, this.#reserve(bytes.length));
  }

  array(length: number): void {
    if (length < 16) this.#byte(0x90 | length);
    else if (length < 0x1_0000) this.#buffer.writeUInt16BE(length, this.#header(0xdc, 2));
    else this.#buffer.writeUInt32BE(length, this.#header(0xdd, 4));
  }

  /** Starts an array whose length is told afterwards, by the function that this gives. */
  openArray(): (length: number) => void {
    const at = this.#header(0xdd, 4);
    return (length) => this.#buffer.writeUInt32BE(length, at);
  }

  map(length: number): void {
    if (length < 16) this.#byte(0x80 | length);
    else if (length < 0x1_0000) this.#buffer.writeUInt16BE(length, this.#header(0xde, 2));
    else this.#buffer.writeUInt32BE(length, this.#header(0xdf, 4));
  }

  #byte(value: number): void {
    // Reserved before it is indexed: growing replaces the buffer.
    const at = this.#reserve(1);
    this.#buffer[at] = value;
  }

  /** Writes the leading byte and gives the place for the `size` bytes that follow it. */
  #header(code: number, size: number): number {
    const at = this.#reserve(1 + size);
    this.#buffer[at] = code;
    return at + 1;
  }

  #reserve(size: number): number {
    const at = this.#length;
    this.#length += size;
    if (this.#length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#length, this.#buffer.length * 2));
      grown.set(this.#buffer.subarray(0, at));
      this.#buffer = grown;
    }
    return at;
  }
}
