/** JSON in and out, with every integer exact. */
import { parse as parseLossless } from "lossless-json";
import { parseNumber } from "./number";
import type { Value } from "./value";

/**
 * A numeral near 2^53 or beyond where JSON expects a value: only then can `JSON.parse` lose something. Quotas of a few
 * petabytes have sixteen digits too and stay on the fast way, which is ten times faster.
 */
const LONG_NUMERAL = /(?:^|[:[,])\s*-?(?:\d{17}|9\d{15})/;

/**
 * Parses JSON; integers beyond 2^53 become `bigint`.
 * @throws SyntaxError where the text is not JSON.
 */
export function parseJson(text: string): Value {
  if (!LONG_NUMERAL.test(text)) return JSON.parse(text) as Value;
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
