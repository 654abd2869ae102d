/** Stored states, as Terraform hands them over in JSON: covers `valueOfType` in src/lib/plugin-runtime/values.ts. */
import { Malformed, valueOfType } from "../../../../src/lib/plugin-runtime/values";
import { parseJson, type TerraformType, type Value } from "../../../../src/lib/values";

function read(json: string, type: TerraformType): Value {
  return valueOfType(parseJson(json), type);
}

test("integers beyond 2^53 stay what they are", () => {
  expect(read('{"n":9007199254740993}', ["object", { n: "number" }])).toEqual({ n: 9007199254740993n });
  expect(read("[9223372036854775807, 1]", ["list", "number"])).toEqual([9223372036854775807n, 1]);
  expect(read('"9007199254740993"', "number")).toBe(9007199254740993n);
});

test("__proto__ is a key like others", () => {
  const map = read('{"__proto__":"x","n":"1234567890123456789"}', ["map", "string"]) as Record<string, Value>;
  expect(Object.entries(map)).toEqual([
    ["__proto__", "x"],
    ["n", "1234567890123456789"],
  ]);
});

test("an object has exactly its type's attributes, whatever was stored", () => {
  const type: TerraformType = ["object", { kept: "string", added: ["list", "string"] }];
  expect(read('{"kept":"x","dropped":1}', type)).toEqual({ kept: "x", added: null });
});

test.each<[string, TerraformType]>([
  ["1", "string"],
  ['"x"', "number"],
  ["{}", ["list", "string"]],
  ["[]", ["map", "string"]],
  ['"0x10"', "number"],
  ["[1]", ["object", { a: "string" }]],
])("%s is no %j", (json, type) => {
  expect(() => read(json, type)).toThrow(Malformed);
});
