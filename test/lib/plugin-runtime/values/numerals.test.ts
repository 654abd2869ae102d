/** Numbers that Terraform sends as digits, since they are fractions or beyond 64 bits: covers src/lib/plugin-runtime/values.ts. */
import { encode } from "@msgpack/msgpack";
import { decodeValue, Malformed } from "../../../../src/lib/plugin-runtime/values";
import type { Value } from "../../../../src/lib/values";

function read(numeral: string): Value {
  return decodeValue(encode(numeral), "number");
}

test.each<[string, number | bigint]>([
  ["9007199254740993", 9007199254740993n],
  ["9007199254740991", 9007199254740991],
  ["-9223372036854775809", -9223372036854775809n],
  ["0.1", 0.1],
  ["0.00000001", 1e-8],
  ["-2.5", -2.5],
  ["0", 0],
  ["4503599627370495.5", 4503599627370495.5],
])("the numeral %s is read exactly", (text, number) => {
  expect(read(text)).toBe(number);
});

test("a fraction is the nearest double, and never an integer", () => {
  expect(read("0.33333333333333333333333333")).toBe(1 / 3);
  for (const text of ["1.0000000000000000001", "0.99999999999999999999", "9007199254740993.5"])
    expect(() => read(text)).toThrow(Malformed);
});

test.each(["", "-", "abc", "1e", "0x10", "1 ", "Infinity", "NaN", "1e99999", "1".repeat(10_001)])(
  "%p is no numeral",
  (text) => {
    expect(() => read(text)).toThrow(Malformed);
  },
);

test("a float that is no number is refused", () => {
  const infinite = Buffer.alloc(9);
  infinite[0] = 0xcb;
  infinite.writeDoubleBE(Number.POSITIVE_INFINITY, 1);
  expect(() => decodeValue(infinite, "number")).toThrow(Malformed);
});
