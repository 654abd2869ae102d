/** Handles texts: their normal form, a form that is safe to show, their order, and the nearest of several. */

/** Characters that may combine with their neighbour: none below the combining marks. */
const MAY_COMPOSE = /[\u0300-\uffff]/;

/**
 * A text in Unicode's normal form NFC, in which texts are compared: "é" is one text, however it was typed. Most texts are in it already, which
 * a look finds out in a fraction of the time that normalising takes.
 */
export function normalForm(text: string): string {
  return MAY_COMPOSE.test(text) ? text.normalize("NFC") : text;
}

// Text from the service, made safe for terminals, logs and diagnostics.

/** Escape sequences of terminals: CSI with its parameters, OSC and its kin up to their end, and the two-character ones. */
const ESCAPE_SEQUENCE =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[\]PX^_][^\u0007\u001b\u009c]*[\u0007\u009c]?|\u001b[ -/]*[0-~]?/g;

/**
 * Characters that are not seen, or move the text around them: control characters, line breaks, bidirectional marks, fillers, tags, selectors of variants,
 * halves of characters, every blank but the usual one, and blanks after a blank, which could push text off the screen.
 */
const UNSEEN_CHARACTERS = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|\p{Default_Ignorable_Code_Point}|\u2800|(?<= ) /gu;

/** Nearly no text has anything to escape, and this check is much faster than the expressions above. */
const NEEDS_ESCAPE = /[^ -~]| {2}/;

/** The text with an escape in place of each invisible character, so that two different texts never look the same. */
export function escapeUnseen(text: string): string {
  return NEEDS_ESCAPE.test(text) ? text.replace(UNSEEN_CHARACTERS, escapedUnits) : text;
}

/** No name of an object has that many characters, and no sentence for people: a longer text is hostile, and escaping it takes long. */
const LONGEST_NAME = 2_000;
const LONGEST_SENTENCE = 20_000;

/** A name of an object for people: invisible characters are escaped, and a name with blanks at an end is in quotation marks. */
export function shownName(text: string, limit = LONGEST_NAME): string {
  const whole =
    text.length <= limit ? text : `${[...text.slice(0, limit * 2)].slice(0, limit - 1).join("")}…`;
  const escaped = escapeUnseen(whole).replace(/(?<= ) /g, escapedUnits);
  return /^ | $/.test(escaped) ? `"${escaped}"` : escaped;
}

/**
 * A sentence on one line: without escape sequences, each run of white space a blank, and invisible characters escaped.
 * @param limit longest result in characters; a cut is marked by "…"
 */
export function plainText(text: string, limit = LONGEST_SENTENCE): string {
  return cutTo(escapeUnseen(cutTo(onOneLine(text), limit)), limit);
}

/** The same without invisible characters, so that a secret is found in texts of the service even if they split it. */
export function strippedText(text: string, limit = Infinity): string {
  const line = onOneLine(text).replace(/\s+/g, " ");
  return cutTo(onOneLine(NEEDS_ESCAPE.test(line) ? line.replace(UNSEEN_CHARACTERS, "") : line), limit);
}

function onOneLine(text: string): string {
  const line = NEEDS_ESCAPE.test(text)
    ? text.replace(ESCAPE_SEQUENCE, "").replace(/[\t-\r\u0085\u2028\u2029]+/g, " ")
    : text;
  return line.replace(/ {2,}/g, " ").replace(/^ | $/g, "");
}

function cutTo(line: string, limit: number): string {
  if (line.length <= limit) return line;
  return `${[...line.slice(0, limit * 2)].slice(0, limit - 1).join("")}…`;
}

/** `\u200b` and the like for each half of a character, as JSON escapes them. */
export function escapedUnits(text: string): string {
  return text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The known name that a misspelt one was probably meant to be: at most a third of its letters differ. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const limit = candidate.length < 3 ? 0 : Math.floor(candidate.length / 3);
    if (Math.abs(candidate.length - name.length) > limit) continue;
    const distance = editDistance(name, candidate);
    if (distance > limit || distance >= least) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

/** The number of letters that were left out, added or replaced, and of swapped neighbours. */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_unused, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True if a text has the form of a uuid, in either case. */
export function isUuidText(text: string): boolean {
  return UUID.test(text);
}

/** True if a version is the same as another one, or later; both of the form `20.18.1`. */
export function isAtLeast(version: string, oldest: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, part] of oldest.split(".").map(Number).entries()) {
    const difference = (parts[index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

// Shared secrets of two-factor authentication, in hexadecimal or as authenticators show them.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * A shared secret in the hexadecimal form that services take; undefined if the text is no shared secret.
 *
 * A text of hexadecimal characters is hexadecimal, and stays as it is. Any other text is base32 (RFC 4648): in either case, with or without
 * padding, in groups with blanks or hyphens, or in an `otpauth://totp/` address. A base32 secret can consist only of A to F and 2 to 7.
 * Hardly one in a million of the usual length does. A blank in such a secret marks it as base32.
 */
export function hexOfSharedSecret(text: string): string | undefined {
  const trimmed = text.trim();
  if (/^[0-9A-Fa-f]+$/.test(trimmed)) return trimmed;
  const secret = /^otpauth:/i.test(trimmed) ? secretOfAddress(trimmed) : trimmed;
  return secret === undefined ? undefined : hexOfBase32(secret);
}

function secretOfAddress(address: string): string | undefined {
  if (!/^otpauth:\/\/totp\//i.test(address) || !URL.canParse(address)) return undefined;
  return new URL(address).searchParams.get("secret") ?? undefined;
}

function hexOfBase32(secret: string): string | undefined {
  const bare = secret.replace(/[\s-]/g, "").replace(/=+$/, "").toUpperCase();
  // Characters that encode less than one more byte cannot end a secret.
  if (!/^[A-Z2-7]+$/.test(bare) || [1, 3, 6].includes(bare.length % 8)) return undefined;
  const bits = [...bare].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return bytes.map((byte) => Number.parseInt(byte, 2).toString(16).padStart(2, "0")).join("");
}

/** Groups the items by key, in the order of the first item of each group. */
export function groupedBy<T, Key>(
  items: Iterable<T>,
  keyOf: (item: T) => Key,
): ReadonlyMap<Key, readonly [T, ...T[]]> {
  const groups = new Map<Key, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** `3,100` */
export function groupedDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 account`, `2,000 accounts`. */
export function counted(count: number, noun: string): string {
  return `${groupedDigits(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A duration as people say it: `40 seconds`, `5 hours`, `3 days`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [size, unit] = ([
    [86_400, "day"],
    [3600, "hour"],
    [60, "minute"],
  ].find(([many]) => seconds >= 2 * Number(many)) ?? [1, "second"]) as [number, string];
  return counted(Math.floor(seconds / size), unit);
}

// The order of texts that Terraform uses everywhere: by code point, which is also the order of their UTF-8 bytes.

/** Negative, zero or positive, as `sort` wants it. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** UTF-16 writes characters beyond U+FFFF with units that sort before U+E000; by code point they come last. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

export function sortedNames(object: object): string[] {
  return Object.keys(object).sort(compareText);
}

/** An argument as a shell takes it. */
export function shellWord(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For the content of elements, and for attributes in quotation marks. */
export function htmlEscaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** The name of an attribute as that of a property: `limitsVssNum` for `limits_vss_num`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
