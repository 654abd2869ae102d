import { encodeValue, type EncodeOptions } from "../../../../src/lib/plugin-runtime/values";
import { type TerraformType, UNKNOWN, type Value } from "../../../../src/lib/values";

function encode(value: unknown, type: TerraformType, options: EncodeOptions = { unknowns: false }): Buffer {
  return encodeValue(value as Value, type, options);
}

test.each(
  (
    [
      [1, "string", "the value must be a string or null, but is a number"],
      ["1", "number", "the value must be a number or null, but is a string"],
      [Number.NaN, "number", "the value must be a number or null, but is not finite"],
      ["true", "bool", "the value must be a bool or null, but is a string"],
      [undefined, "string", "the value must be a string or null, but is missing"],
      [() => 1, "string", "the value must be a string or null, but is a function"],
      [{}, ["list", "string"], "the value must be a list of string or null, but is an object"],
      [[], ["map", "string"], "the value must be a map of string or null, but is a list"],
      [UNKNOWN, "string", "the value must be a known string, but is unknown"],
      [["a", 1], ["list", "string"], "[1] must be a string or null, but is a number"],
      [["a", undefined], ["set", "string"], "[1] must be a string or null, but is missing"],
      [{ a: { b: true } }, ["map", ["map", "string"]], "a.b must be a string or null, but is a bool"],
      [{ a: 1 }, ["object", { a: "number", b: "number" }], "b must be a number or null, but is missing"],
      [
        { a: 1, b: 2 },
        ["object", { a: "number" }],
        "b must be absent, but is an attribute that the schema lacks",
      ],
      [{}, ["object", { toString: "string" }], "toString must be a string or null, but is missing"],
      [Number.POSITIVE_INFINITY, "number", "the value must be a number or null, but is not finite"],
    ] as readonly (readonly [unknown, TerraformType, string])[]
  ).map(([value, type, message]) => ({ value, type, message })),
)("$message", ({ value, type, message }) => {
  expect(() => encode(value, type)).toThrow(message);
});

test("a mistake's message tells no contents", () => {
  expect(() => encode({ secret: { canary: 1 } }, ["object", { secret: "string" }])).toThrow(/^(?!.*canary)/);
});

test("what an object lacks is null where that is allowed", () => {
  const type: TerraformType = ["object", { a: "string", b: "string" }];
  expect(encode({ a: "x" }, type, { unknowns: false, lacking: "null" })).toEqual(
    encode({ a: "x", b: null }, type),
  );
});

test.each<[number | bigint, string]>([
  [0, "00"],
  [-0, "00"],
  [127, "7f"],
  [-32, "e0"],
  [128, "cc80"],
  [-33, "d0df"],
  [2 ** 53, "cf0020000000000000"],
  [9007199254740993n, "cf0020000000000001"],
  [9223372036854775807n, "cf7fffffffffffffff"],
  [-9223372036854775808n, "d38000000000000000"],
  [9223372036854775808n, `b3${Buffer.from("9223372036854775808").toString("hex")}`],
  [1e20, `b5${Buffer.from("100000000000000000000").toString("hex")}`],
  [0.1, `a3${Buffer.from("0.1").toString("hex")}`],
  [0.5, `a3${Buffer.from("0.5").toString("hex")}`],
])("%p goes out as an integer or as digits", (number, hex) => {
  expect(encode(number, "number").toString("hex")).toBe(hex);
});
