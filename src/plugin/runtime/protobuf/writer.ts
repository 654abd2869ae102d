/** Protocol Buffers' wire format, into a growing buffer. */
export class Writer {
  #buffer = Buffer.allocUnsafe(1024);
  #length = 0;

  /** What has been written. */
  finish(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  tag(field: number, wireType: number): void {
    this.varint(field * 8 + wireType);
  }

  /** A whole number; negative ones take ten bytes, as the format has it. */
  varint(value: number): void {
    if (value < 0) return this.#bigVarint(BigInt.asUintN(64, BigInt(value)));
    let rest = value;
    while (rest >= 0x80) {
      this.#byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#byte(rest);
  }

  bytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.#buffer.set(bytes, this.#reserve(bytes.length));
  }

  string(text: string): void {
    const size = Buffer.byteLength(text);
    this.varint(size);
    this.#buffer.write(text, this.#reserve(size), size);
  }

  /** Writes a part whose length goes before it. */
  delimited(write: () => void): void {
    const start = this.#reserve(1);
    write();
    const size = this.#length - start - 1;
    const sizeOfLength = varintSize(size);
    // Most parts are shorter than 128 bytes; for the others the length needs more room than was left.
    if (sizeOfLength > 1) {
      this.#reserve(sizeOfLength - 1);
      this.#buffer.copyWithin(start + sizeOfLength, start + 1, start + 1 + size);
    }
    const end = this.#length;
    this.#length = start;
    this.varint(size);
    this.#length = end;
  }

  #bigVarint(value: bigint): void {
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) this.#byte(Number(rest & 0x7fn) | 0x80);
    this.#byte(Number(rest));
  }

  #byte(value: number): void {
    // Reserved before it is indexed: growing replaces the buffer.
    const at = this.#reserve(1);
    this.#buffer[at] = value;
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

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}
