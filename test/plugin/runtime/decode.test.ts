import * as fc from "fast-check";
import { parseExact, valueFromJson } from "../../../src/plugin/runtime/decode";
import { encodeValue } from "../../../src/plugin/runtime/encode";
import { Malformed } from "../../../src/plugin/runtime/msgpack";
import { WireDetails, type Type } from "../../../src/plugin/runtime/values";
import type { Value } from "../../../src/values";

function read(json: string, type: Type, details = new WireDetails()): Value {
  return valueFromJson(parseExact(json, details), type, details);
}

test("integers beyond 2^53 stay what they are", () => {
  expect(read('{"n":9007199254740993}', ["object", { n: "number" }])).toEqual({ n: 9007199254740993n });
  expect(read("[9223372036854775807, 1]", ["list", "number"])).toEqual([9223372036854775807n, 1]);
  expect(read('"9007199254740993"', "number")).toBe(9007199254740993n);
});

test("a fraction's digits are sent on as they were stored", () => {
  const details = new WireDetails();
  const value = read("0.12345678901234567890", "number", details);
  const bytes = encodeValue(value, "number", details, { unknowns: false });
  expect(bytes.subarray(1).toString()).toBe("0.12345678901234567890");
});

test("__proto__ is a key like others", () => {
  const map = read('{"__proto__":"x","n":"1234567890123456789"}', ["map", "string"]) as Record<string, Value>;
  expect(Object.entries(map)).toEqual([
    ["__proto__", "x"],
    ["n", "1234567890123456789"],
  ]);
});

test("an object has exactly its type's attributes, whatever was stored", () => {
  const type: Type = ["object", { kept: "string", added: ["list", "string"] }];
  expect(read('{"kept":"x","dropped":1}', type)).toEqual({ kept: "x", added: null });
});

test("a value of any type brings its type", () => {
  const details = new WireDetails();
  const value = read('{"value":["b","a"],"type":["set","string"]}', "dynamic", details);
  expect(value).toEqual(["b", "a"]);
  expect(encodeValue(value, "dynamic", details, { unknowns: false }).toString()).toContain(
    '["set","string"]',
  );
});

test.each<[string, Type]>([
  ["1", "string"],
  ['"x"', "number"],
  ["{}", ["list", "string"]],
  ["[]", ["map", "string"]],
  ['{"value":1}', "dynamic"],
  ["{", "string"],
])("%s is no %j", (json, type) => {
  expect(() => read(json, type)).toThrow(Malformed);
});

test("arbitrary text is JSON or malformed", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      try {
        parseExact(text, new WireDetails());
      } catch (error) {
        expect(error).toBeInstanceOf(Malformed);
      }
    }),
  );
});
