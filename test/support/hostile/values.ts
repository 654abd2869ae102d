/** Values that a faulty or hostile service may send: values drawn at random, and honest ones that are altered. */
import fc from "fast-check";
import { TenancyError } from "../../../src/problems";
import { anyCharacter } from "../any-character";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** In place of a numeral that JavaScript cannot hold; see {@link written}. */
const NUMERAL = "numeral:";

const strings: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    "__proto__",
    "constructor",
    "\u0000",
    "\u001b[2J\u001b[31mred\u001b]0;title\u0007",
    "\u009b31m\u202egnal\u202c\u200b\ufeff",
    "a\r\nError: b\n\n\tc\u2028d",
    "\ud800",
    "${var.x} %{ if true }",
    "../../etc/passwd",
    "x".repeat(100_000),
    "account:1:1",
    "-1",
    "1e999",
  ),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);

const numerals = fc.constantFrom("1e999", "-1e999", "9".repeat(400), "-9223372036854775809", "1e-400", "0.1");

/** Any JSON, with a liking for what trips programs. */
export const hostile: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 2 ** 53, 1e308),
    numerals.map((numeral) => NUMERAL + numeral),
    strings,
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(
        strings.filter((name) => name.length < 100),
        fc.constantFrom("id", "name", "uuid"),
      ),
      tie("any"),
      {
        maxKeys: 4,
      },
    ),
  ),
})).any;

/** What to do with one of the parts of some JSON. */
export interface Mutation {
  readonly at: number;
  readonly how: "replace" | "remove" | "double" | "wrap" | "add __proto__";
  readonly by: Json;
}

export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    // Mostly one of the first places: the outer parts are fewer, and mean more.
    at: fc.oneof(fc.nat({ max: 30 }), fc.nat()),
    how: fc.constantFrom("replace", "replace", "remove", "double", "wrap", "add __proto__"),
    by: hostile,
  }),
  { minLength: 1, maxLength: 10 },
);

/** JSON with some of its parts changed. */
export function mutated(json: Json, changes: readonly Mutation[]): Json {
  const box = { root: structuredClone(json) };
  for (const { at, how, by: drawn } of changes) {
    // A copy, since the drawn value serves several answers: changed in place, it would grow and refer to itself.
    const by = structuredClone(drawn);
    const places = placesIn(box);
    const [parent, name] = places[at % places.length] ?? [box, "root"];
    const holder = parent as Record<string, Json>;
    const value = holder[name] as Json;
    if (how === "replace") define(holder, name, by);
    if (how === "wrap") define(holder, name, [value]);
    if (how === "remove" && parent !== box) {
      if (Array.isArray(parent)) parent.splice(Number(name), 1);
      else delete holder[name];
    }
    if (how === "double" && Array.isArray(parent)) parent.push(value);
    if (how === "add __proto__" && typeof value === "object" && value !== null && !Array.isArray(value))
      define(value, "__proto__", { polluted: by, ...value });
  }
  return box.root;
}

/** As text, with the numerals that it stands for. */
export function written(json: Json): string {
  return JSON.stringify(json).replace(new RegExp(`"${NUMERAL}([^"]*)"(?!:)`, "g"), "$1");
}

function define(holder: object, name: string, value: Json): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The outer ones first. */
function placesIn(root: object): readonly (readonly [object, string])[] {
  const places: (readonly [object, string])[] = [];
  for (let level = [root]; level.length > 0;) {
    const here = level.flatMap((parent) => Object.keys(parent).map((name) => [parent, name] as const));
    places.push(...here);
    level = here
      .map(([parent, name]) => (parent as Record<string, unknown>)[name])
      .filter((value) => typeof value === "object" && value !== null);
  }
  return places;
}

/** Text with some of its bytes changed, lost or doubled. */
export function damaged(text: string, wounds: readonly Wound[]): Buffer {
  let bytes = Buffer.from(text);
  for (const { at, how, byte } of wounds) {
    const place = at % Math.max(1, bytes.length);
    if (how === "flip") bytes[place] = (bytes[place] ?? 0) ^ (1 << (byte % 8));
    if (how === "set") bytes[place] = byte;
    if (how === "cut") bytes = bytes.subarray(0, place);
    if (how === "drop")
      bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1 + (byte % 9))]);
    if (how === "repeat") bytes = Buffer.concat([bytes.subarray(0, place + byte), bytes.subarray(place)]);
  }
  return bytes;
}

export interface Wound {
  readonly at: number;
  readonly how: "flip" | "set" | "cut" | "drop" | "repeat";
  readonly byte: number;
}

export const wounds: fc.Arbitrary<readonly Wound[]> = fc.array(
  fc.record({
    at: fc.nat(),
    how: fc.constantFrom("flip", "set", "cut", "drop", "repeat"),
    byte: fc.integer({ min: 0, max: 255 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** What a call came to: nothing but an error of ours is tolerated. */
export async function tolerated<T>(call: () => Promise<T> | T): Promise<T | TenancyError> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof TenancyError) return error;
    throw error;
  }
}

const MEMBERS = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));

/** Fails if something was written to the prototypes that all objects share. */
export function expectCleanPrototypes(): void {
  expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(MEMBERS);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
}

/** Line ends and tabs are all that may move a cursor. */
export function expectPlain(text: string): void {
  const [moves] =
    /(?![\n\t])[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u.exec(text) ?? [];
  if (moves !== undefined)
    throw new Error(`U+${moves.charCodeAt(0).toString(16)} is in ${JSON.stringify(text)}`);
}
