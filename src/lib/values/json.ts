/** Reads and writes JSON so that every integer stays exact. */
import { parse as parseLossless } from "lossless-json";
import { parseNumber } from "./number";
import { isList, isObject, isUnknown, type Value } from "./value";

/**
 * Parses JSON; integers beyond 2^53 become `bigint`. Only a text with such an integer is parsed the slow way, which takes ten times as long.
 * @throws SyntaxError if the text is not JSON; TooDeep if a walk through the value would exhaust the stack
 */
export function parseJson(text: string): Value {
  const value = holdsLongNumeral(text) ? parseExactly(text) : (JSON.parse(text) as Value);
  if (isTooDeep(value)) throw new TooDeep();
  return value;
}

/** The same, but two members of one object with the same name and different values are an error: neither of them is certain to count. */
export function parseUnambiguous(text: string): Value {
  const value = parseExactly(text);
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
    // JSON.stringify refuses a bigint. Only values that hold one are written the slow way.
    if (error instanceof TypeError) return stringifyExactly(value, indent);
    throw error;
  }
}

function stringifyExactly(value: unknown, indent: number | undefined): string {
  const jsonTexts: string[] = [];
  const marker = "\u0000json:";
  const replacing = (json: string): string => {
    jsonTexts.push(json);
    return `${marker}${jsonTexts.length - 1}`;
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
  if (jsonTexts.length === 0) return text;
  // Names of members are followed by a colon. The placeholders are not.
  return text.replace(
    /"\\u0000json:(\d+)"(?!:)/g,
    (_match, index: string) => jsonTexts[Number(index)] ?? "null",
  );
}

/** JSON with members sorted by name, so that equal values have equal text; unknown parts get a text of their own. */
export function sortedJson(value: Value): string {
  if (isUnknown(value)) return "unknown";
  if (isList(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (!isObject(value)) return stringifyJson(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${sortedJson(value[name] ?? null)}`).join(",")}}`;
}

// Numerals that a JavaScript number cannot hold exactly.

/**
 * Digits of 2^53. Quotas of a few petabytes have as many digits and are exact all the same, so only numerals of this length that begin with 9 count.
 */
const DIGITS = 16;

/**
 * True if the text has a numeral near 2^53 or beyond in the place of a value: only then can `JSON.parse` lose digits. A run of that many
 * digits covers one character of each 16, so only every 16th character is checked. In the lists of a large service, this takes a tenth of
 * the time of a regular expression.
 */
export function holdsLongNumeral(text: string): boolean {
  for (let at = DIGITS - 1; at < text.length; at += DIGITS) {
    if (!isDigit(text, at)) continue;
    let start = at;
    while (isDigit(text, start - 1)) start--;
    while (isDigit(text, at + 1)) at++;
    const length = at + 1 - start;
    if (length < DIGITS || (length === DIGITS && text[start] !== "9")) continue;
    if (isValue(text, start)) return true;
  }
  return false;
}

/** True if a value begins here, and not a part of a string. */
function isValue(text: string, start: number): boolean {
  let before = text[start - 1] === "-" ? start - 2 : start - 1;
  while (/^\s$/.test(text.charAt(before))) before--;
  return before < 0 || ":[,".includes(text.charAt(before));
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

// The depth of nested lists and objects.

/** Far more levels than real values have, and far fewer than would exhaust the stack. */
const DEEPEST = 200;

/** JSON is nested deeper than {@link DEEPEST}. */
export class TooDeep extends SyntaxError {
  constructor() {
    super(`lists and objects are nested more than ${DEEPEST} levels deep`);
  }
}

/** True if parsed JSON is nested deeper than that. */
function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  // Loops in place of `some` and Object.values, which would make something of each record of a large service.
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[])
      if (typeof element === "object" && isTooDeep(element, levels - 1)) return true;
    return false;
  }
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === "object" && isTooDeep(member, levels - 1)) return true;
  }
  return false;
}
