import { expressionFailed, invalidExpression } from "../../../src/problems";
import { convertOrFail, parseType } from "../../../src/lib/language";
import { bare, UNKNOWN, type Value, ValueSet } from "../../../src/lib/values";
import { plain } from "./support";
import { thrown } from "../../support/thrown";

const converted = (value: Value, type: string) => plain(bare(convertOrFail(value, parseType(type))));

test.each<[Value, string, Value]>([
  [5, "string", "5"],
  [true, "string", "true"],
  ["5", "number", 5],
  ["9223372036854775807", "number", 9223372036854775807n],
  ["true", "bool", true],
  [[1, "a"], "list(string)", ["1", "a"]],
  [[1, "a"], "list(any)", ["1", "a"]],
  [["b", "a", "b"], "set(string)", ["a", "b"]],
  [{ a: 1, b: true }, "map(string)", { a: "1", b: "true" }],
  [["1", 2], "tuple([number, string])", [1, "2"]],
  [{ a: "1", extra: 2 }, "object({ a = number })", { a: 1 }],
  [
    {},
    'object({ a = optional(string), b = optional(number, 7), c = optional(list(string), ["x"]) })',
    { a: null, b: 7, c: ["x"] },
  ],
  [{ x: { a: 1 } }, "map(object({ a = string, b = optional(bool, false) }))", { x: { a: "1", b: false } }],
  [null, "number", null],
  [{ anything: [1, "x"] }, "any", { anything: [1, "x"] }],
  [[1], "list", [1]],
])("%j as %s is %j", (value, type, expected) => expect(converted(value, type)).toEqual(expected));

test("what is not known yet is of every type", () => {
  expect(convertOrFail(UNKNOWN, "number")).toBe(UNKNOWN);
  expect(convertOrFail([UNKNOWN, 1], parseType("list(string)"))).toEqual([UNKNOWN, "1"]);
});

test("what is converted to a set is a set", () => {
  expect(convertOrFail([2, 1], parseType("set(number)"))).toBeInstanceOf(ValueSet);
});

test.each<[Value, string, string]>([
  ["x", "number", "a number is required"],
  [[], "string", "a string is required, and this is a list"],
  [{ a: [1, "x"] }, "object({ a = list(number) })", "a[1]: a number is required"],
  [{}, "object({ a = string })", 'attribute "a" is required'],
  [[1], "tuple([number, number])", "a list of 2 elements"],
  [[1, [2]], "list(any)", "the same type"],
  ["x", "map(string)", "a map is required"],
])("%j is no %s: %s", (value, type, problem) => {
  expect(() => converted(value, type)).toThrow(thrown(expressionFailed));
  expect(() => converted(value, type)).toThrow(problem);
});

test.each([
  ["text", 'no type "text"'],
  ["list(string", "ends where"],
  ["object({ a string })", '"=" after'],
  ["string, number", "end of the type"],
  [`${"list(".repeat(100_000)}string`, "levels deep"],
])("%.40s is no type: %s", (type, problem) => {
  expect(() => parseType(type)).toThrow(thrown(invalidExpression));
  expect(() => parseType(type)).toThrow(problem);
});
