/** JSON in and out, with every integer exact. */
import { parse as parseLossless } from "lossless-json";
import { holdsLongNumeral } from "./long-numeral";
import { isTooDeep, TooDeep } from "./nesting";
import { parseNumber } from "./number";
import type { Value } from "./value";

/**
 * Parses JSON; integers beyond 2^53 become `bigint`. Only a text that holds one is parsed the slow way, which takes ten times as long.
 * @throws SyntaxError where the text is not JSON; TooDeep where whoever walks through it would exhaust the stack.
 */
export function parseJson(text: string): Value {
  const value = holdsLongNumeral(text) ? parseExactly(text) : (JSON.parse(text) as Value);
  if (isTooDeep(value)) throw new TooDeep();
  return value;
}

function parseExactly(text: string): Value {
  try {
    return parseLossless(text, undefined, (numeral) => parseNumber(numeral) ?? Number(numeral)) as Value;
  } catch (error) {
    // The library's reader, unlike JavaScript's own, goes down the stack.
    throw error instanceof RangeError ? new TooDeep() : error;
  }
}

/** Writes JSON; a `bigint` becomes a plain numeral, as the service and Terraform read it. */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // JavaScript refuses a bigint. Only what holds one is written the slow way.
    if (error instanceof TypeError) return stringifyExactly(value, indent);
    throw error;
  }
}

function stringifyExactly(value: unknown, indent: number | undefined): string {
  const replaced: string[] = [];
  const marker = "\u0000json:";
  const replacing = (json: string): string => {
    replaced.push(json);
    return `${marker}${replaced.length - 1}`;
  };
  const text = JSON.stringify(
    value,
    (_name, member: unknown) => {
      if (typeof member === "bigint") return replacing(member.toString());
      // A text from outside may look like our marker.
      return typeof member === "string" && member.startsWith(marker)
        ? replacing(JSON.stringify(member))
        : member;
    },
    indent,
  );
  if (replaced.length === 0) return text;
  // Names of members are followed by a colon, and none of ours.
  return text.replace(
    /"\\u0000json:(\d+)"(?!:)/g,
    (_match, index: string) => replaced[Number(index)] ?? "null",
  );
}
