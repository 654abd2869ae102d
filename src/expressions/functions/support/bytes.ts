import { ExpressionFailed } from "../../../errors";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @throws ExpressionFailed where the bytes are not UTF-8. */
export function textFromBytes(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes).normalize();
  } catch (error) {
    throw new ExpressionFailed("the bytes are not UTF-8", { cause: error });
  }
}
