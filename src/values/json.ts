/** JSON in and out, with every integer exact. */
import { parse as parseLossless } from "lossless-json";
import { holdsLongNumeral } from "./long-numeral";
import { parseNumber } from "./number";
import type { Value } from "./value";

/**
 * Parses JSON; integers beyond 2^53 become `bigint`. Only a text that holds one is parsed the slow way, which takes ten times as long.
 * @throws SyntaxError where the text is not JSON.
 */
export function parseJson(text: string): Value {
  if (!holdsLongNumeral(text)) return JSON.parse(text) as Value;
  return parseLossless(text, undefined, (numeral) => parseNumber(numeral) ?? Number(numeral)) as Value;
}

/** Writes JSON; a `bigint` becomes a plain numeral, as the service and Terraform read it. */
export function stringifyJson(value: unknown, indent?: number): string {
  const numerals: string[] = [];
  const marker = "\u0000bigint:";
  const text = JSON.stringify(
    value,
    (_name, member: unknown) => {
      if (typeof member !== "bigint") return member;
      numerals.push(member.toString());
      return `${marker}${numerals.length - 1}`;
    },
    indent,
  );
  if (numerals.length === 0) return text;
  return text.replace(/"\\u0000bigint:(\d+)"/g, (_match, index: string) => numerals[Number(index)] ?? "null");
}
