/** Values on the wire as another MessagePack library reads and writes them: covers src/lib/plugin-runtime/msgpack.ts. */
import { decode, encode, ExtData } from "@msgpack/msgpack";
import * as fc from "fast-check";
import { decodeValue, encodeValue } from "../../../../src/lib/plugin-runtime/values";
import { isList, isObject, type TerraformType, UNKNOWN, type Value } from "../../../../src/lib/values";
import { rounds } from "../../../support/rounds";
import { typedValues } from "../../../support/typed-values";

const KNOWN_LISTS = { unknowns: false, sets: false } as const;

/** The value as it has to be on the wire: fractions, and whole numbers beyond 64 bits, are digits. */
function onTheWire(value: Value): unknown {
  if (isList(value)) return value.map(onTheWire);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, onTheWire(one)]));
  if (typeof value !== "number" && typeof value !== "bigint") return value;
  if (typeof value === "number" && !Number.isInteger(value)) return String(value);
  const integer = BigInt(value);
  return BigInt.asIntN(64, integer) === integer ? integer : integer.toString();
}

/** Whole numbers as one type, in which the two libraries' choices compare. */
function withBigInts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBigInts);
  if (typeof value === "number") return BigInt(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withBigInts(one)]));
}

test("another library reads the values that are written", () => {
  fc.assert(
    fc.property(typedValues(KNOWN_LISTS), ({ type, value }) => {
      const bytes = encodeValue(value, type, { unknowns: false });
      // The library refuses this key.
      fc.pre(!bytes.includes("__proto__"));
      expect(withBigInts(decode(bytes, { useBigInt64: true }))).toEqual(onTheWire(value));
    }),
    { numRuns: rounds(400) },
  );
});

test("the values that another library writes are read", () => {
  fc.assert(
    fc.property(typedValues(KNOWN_LISTS), ({ type, value }) => {
      const bytes = encode(onTheWire(value), { useBigInt64: true });
      expect(decodeValue(bytes, type)).toEqual(value);
    }),
    { numRuns: rounds(400) },
  );
});

test.each<[string, number, TerraformType]>([
  ["a byte", 0x7f, "number"],
  ["a negative byte", -0x20, "number"],
  ["16 bits", 0xffff, "number"],
  ["32 bits", -0x8000_0000, "number"],
  ["a double", 0.1, "number"],
])("a number that another library writes in %s is read", (_form, value, type) => {
  expect(decodeValue(encode(value), type)).toBe(value);
});

test("unknown values are extension 0 to another library, too", () => {
  const bytes = encodeValue([UNKNOWN], ["list", "string"], { unknowns: true });
  expect(decode(bytes)).toEqual([new ExtData(0, new Uint8Array(1))]);
  expect(decodeValue(encode([new ExtData(0, new Uint8Array(1))]), ["list", "string"])).toEqual([UNKNOWN]);
});
