import { parseDecimal, toNumber } from "../decimal";
import type { Literal } from "../node";
import type { Cursor } from "./cursor";

const NUMERAL = /\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y;

/** `12`, `1.5`, `1e3`; undefined where no digit stands. */
export function readNumber(cursor: Cursor): Literal | undefined {
  const at = cursor.at;
  const numeral = cursor.match(NUMERAL);
  if (numeral === "") return undefined;
  const decimal = parseDecimal(numeral);
  if (decimal === undefined) throw cursor.error("the number is too large", at);
  return { kind: "literal", at, value: toNumber(decimal) };
}
