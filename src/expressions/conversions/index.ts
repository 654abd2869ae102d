/** Types, and conversions between them. */
import { bare } from "../unmark";
import { evaluate } from "../evaluation/evaluate";
import { readType } from "./parse-type";
import type { Type } from "./type";

export { convert } from "./convert";
export { jsonType, type JsonType } from "./json-type";
export { describeType, typeOf, type Type } from "./type";

/**
 * Reads the type constraint of a variable, such as `map(object({ a = string, b = optional(number, 1) }))`.
 * @throws InvalidExpression
 */
export function parseType(text: string): Type {
  return readType(text, (root, source) =>
    bare(evaluate({ text: source, root }, { folder: ".", resolve: () => null })),
  );
}
