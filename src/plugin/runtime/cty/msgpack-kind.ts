import { Malformed } from "./malformed";

/** What kind of value MessagePack announces with its first byte. */
export type Kind = "nil" | "bool" | "number" | "string" | "binary" | "array" | "map" | "extension";

/** @throws Malformed where no value begins so. */
export function kindOf(code: number): Kind {
  if (code < 0x80 || code >= 0xe0) return "number";
  if (code < 0x90) return "map";
  if (code < 0xa0) return "array";
  if (code < 0xc0) return "string";
  const kind = kindOfCode[code - 0xc0];
  if (kind === undefined) throw new Malformed(`byte 0x${code.toString(16)} starts no value`);
  return kind;
}

/** Kinds of the codes from 0xc0 to 0xdf. */
const kindOfCode: readonly (Kind | undefined)[] = [
  "nil",
  undefined,
  "bool",
  "bool",
  ...Array<Kind>(3).fill("binary"),
  ...Array<Kind>(3).fill("extension"),
  ...Array<Kind>(10).fill("number"),
  ...Array<Kind>(5).fill("extension"),
  ...Array<Kind>(3).fill("string"),
  ...Array<Kind>(2).fill("array"),
  ...Array<Kind>(2).fill("map"),
];
