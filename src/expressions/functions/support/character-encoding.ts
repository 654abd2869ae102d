import { ExpressionFailed } from "../../../errors";

const NAMES: ReadonlyMap<string, BufferEncoding> = new Map([
  ["utf-8", "utf8"],
  ["utf-16le", "utf16le"],
  ["iso-8859-1", "latin1"],
  ["us-ascii", "ascii"],
]);

/** @throws ExpressionFailed where the encoding is not one that Node writes. */
export function encodeText(text: string, encoding: string): Buffer {
  const name = NAMES.get(encoding.toLowerCase());
  if (name === undefined) {
    throw new ExpressionFailed(`the encoding must be one of ${[...NAMES.keys()].join(", ").toUpperCase()}`);
  }
  const bytes = Buffer.from(text, name);
  if (bytes.toString(name) !== text)
    throw new ExpressionFailed(`the string cannot be written in ${encoding}`);
  return bytes;
}

/** Takes every encoding that browsers know. */
export function decodeText(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes).normalize();
  } catch (error) {
    throw new ExpressionFailed(`the bytes are not ${encoding}, or that encoding is not known`, {
      cause: error,
    });
  }
}
