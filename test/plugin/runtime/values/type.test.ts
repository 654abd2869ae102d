import { formatType, hasDynamic, parseType, type Type } from "../../../../src/plugin/runtime/values";

test.each<Type>([
  "string",
  ["list", ["map", "number"]],
  ["object", { a: "bool", b: ["tuple", ["string", "dynamic"]] }],
])("%j is a type", (type) => {
  expect(JSON.stringify(parseType(JSON.stringify(type)))).toBe(JSON.stringify(type));
});

test("an object's optional attributes are attributes", () => {
  expect(JSON.stringify(parseType('["object",{"a":"string"},["a"]]'))).toBe('["object",{"a":"string"}]');
});

test.each([
  '"text"',
  "1",
  "null",
  '["list"]',
  '["list","x"]',
  '["object",[]]',
  '["tuple",{}]',
  '{"a":1}',
  "x",
])("%s is not a type", (json) => {
  expect(() => parseType(json)).toThrow(SyntaxError);
});

test("a type that nests without end is refused before the stack ends", () => {
  const deep = `${'["list",'.repeat(50_000)}"string"${"]".repeat(50_000)}`;
  expect(() => parseType(deep)).toThrow(/too deep/);
});

test("types are told as a reader would say them", () => {
  expect(formatType(["list", ["object", {}]])).toBe("list of object");
  expect(formatType("dynamic")).toBe("any type");
});

test("a part of any type is found", () => {
  expect(hasDynamic(["map", ["object", { a: ["tuple", ["string", "dynamic"]] }]])).toBe(true);
  expect(hasDynamic(["map", ["object", { a: ["tuple", ["string"]] }]])).toBe(false);
});
