/** DER, as much of it as a certificate needs. */

export function tagged(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  if (length < 0x100) return Buffer.from([0x81, length]);
  return Buffer.from([0x82, length >> 8, length & 0xff]);
}

export const sequence = (...members: readonly Uint8Array[]): Buffer => tagged(0x30, ...members);
export const set = (...members: readonly Uint8Array[]): Buffer => tagged(0x31, ...members);
export const explicit = (number: number, content: Uint8Array): Buffer => tagged(0xa0 | number, content);
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));
export const octetString = (content: Uint8Array): Buffer => tagged(0x04, content);
export const utf8String = (text: string): Buffer => tagged(0x0c, Buffer.from(text));

/** An integer whose bytes are minimal and positive already. */
export const integer = (bytes: Uint8Array): Buffer => tagged(0x02, bytes);

/** Bits in whole bytes. */
export const bitString = (content: Uint8Array): Buffer => tagged(0x03, Buffer.from([0]), content);

/** An object identifier from its dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(arc: number): readonly number[] {
  const digits = [arc % 0x80];
  for (let left = Math.floor(arc / 0x80); left > 0; left = Math.floor(left / 0x80)) {
    digits.unshift(0x80 | (left % 0x80));
  }
  return digits;
}

/** A time in the form that X.509 prescribes for it: two digits of the year until 2049, four from then on. */
export function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/[-:T]|\.\d+/g, "");
  return at.getUTCFullYear() < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2)))
    : tagged(0x18, Buffer.from(digits));
}
