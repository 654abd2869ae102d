import { ByteBuffer } from "../byte-buffer";

/** Writes Protocol Buffers' wire format. */
export class Writer {
  readonly #out = new ByteBuffer();

  finish(): Buffer {
    return this.#out.written();
  }

  tag(field: number, wireType: number): void {
    this.varint(field * 8 + wireType);
  }

  /** A whole number; negative ones take ten bytes, as the format has it. */
  varint(value: number): void {
    if (value < 0) return this.#bigVarint(BigInt.asUintN(64, BigInt(value)));
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#out.byte((rest % 0x80) | 0x80);
    this.#out.byte(rest);
  }

  bytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.#out.append(bytes);
  }

  string(text: string): void {
    const size = Buffer.byteLength(text);
    this.varint(size);
    this.#out.text(text, size);
  }

  /** Writes a part whose length goes before it. */
  delimited(write: () => void): void {
    const start = this.#out.reserve(1);
    write();
    const size = this.#out.length - start - 1;
    const sizeOfLength = varintSize(size);
    // Most parts are shorter than 128 bytes; for the others the length needs more room than was left.
    if (sizeOfLength > 1) {
      this.#out.reserve(sizeOfLength - 1);
      this.#out.bytes.copyWithin(start + sizeOfLength, start + 1, start + 1 + size);
    }
    const end = this.#out.length;
    this.#out.rewind(start);
    this.varint(size);
    this.#out.rewind(end);
  }

  #bigVarint(value: bigint): void {
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) this.#out.byte(Number(rest & 0x7fn) | 0x80);
    this.#out.byte(Number(rest));
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}
