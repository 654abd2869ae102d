/** Collects bytes that are written one after the other. */

/** Up to here, writing ASCII character by character is faster than to call into native code. */
const SHORT_BYTES = 32;

/** Bytes under construction. */
export class ByteBuffer {
  #bytes: Buffer = Buffer.allocUnsafe(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes that have been written so far, sharing memory with the buffer. */
  bytesWritten(from = 0): Buffer {
    return this.#bytes.subarray(from, this.#length);
  }

  /** Goes back, or forward again, to where `length` bytes were written. */
  rewind(length: number): void {
    this.#length = length;
  }

  /**
   * Makes room for so many bytes more and gives the place where they belong. Take the buffer with {@link bytes} afterwards:
   * growing replaces it.
   */
  reserve(size: number): number {
    const at = this.#length;
    this.#length += size;
    if (this.#length > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#length, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
    }
    return at;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  byte(value: number): void {
    const at = this.reserve(1);
    this.#bytes[at] = value;
  }

  append(bytes: Uint8Array): void {
    const at = this.reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Text that takes `size` bytes in UTF-8. */
  text(text: string, size: number): void {
    const at = this.reserve(size);
    if (size > SHORT_BYTES || size !== text.length) this.#bytes.write(text, at, size);
    else for (let index = 0; index < size; index++) this.#bytes[at + index] = text.charCodeAt(index);
  }
}
