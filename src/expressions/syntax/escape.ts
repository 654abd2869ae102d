import type { Cursor } from "./cursor";

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ['"', '"'],
  ["\\", "\\"],
]);

/** The character that an escape in a quoted text stands for: `\n`, `\"`, `\u00e9`, `\U0001f600`. */
export function readEscape(cursor: Cursor): string {
  const at = cursor.at;
  cursor.at++;
  const simple = SIMPLE.get(cursor.text[cursor.at] ?? "");
  if (simple !== undefined) {
    cursor.at++;
    return simple;
  }
  const digits = cursor.match(/u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}/y);
  const codePoint = digits === "" ? NaN : parseInt(digits.slice(1), 16);
  if (!(codePoint <= 0x10ffff)) throw cursor.error("there is no such escape sequence in a quoted string", at);
  return String.fromCodePoint(codePoint);
}
