/** Shapes of JSON: covers src/lib/values/shape.ts. */
import { Misshapen, type Shape, shapes, type Value } from "../../../src/lib/values";

const { text, textOrNull, flag, number, integer, anything, optional, nullable, oneOf } = shapes;
const { listOf, mapOf, objectOf, either, where } = shapes;

const faultOf = (shape: Shape<unknown>, value: Value | undefined, place = "it") => {
  try {
    shape(value, place);
    return undefined;
  } catch (error) {
    if (error instanceof Misshapen) return error.message;
    throw error;
  }
};

test.each<readonly [Shape<unknown>, readonly Value[], readonly (Value | undefined)[], string]>([
  [text, ["", "a"], [1, null, undefined, []], "a string"],
  [textOrNull, ["", null], [1, undefined], "a string or null"],
  [flag, [true, false], ["true", null, 0], "true or false"],
  [number, [1, 1.5, 10n], ["1", null, true], "a number"],
  [integer, [1, 10n ** 20n], [1.5, "1", null], "an integer"],
  [anything, [null, 0, "", {}], [undefined], "there"],
  [oneOf("a", "b"), ["a", "b"], ["c", null], "one of a, b"],
  [either(number, text, "a number or a string"), [1, "a"], [null, {}], "a number or a string"],
  [where(text, "short", ({ length }) => length < 3), ["ab"], ["abc"], "short"],
])("a value fits %p or is named by its place", (shape, fitting, others, expected) => {
  for (const value of fitting) expect(shape(value, "it")).toBe(value);
  for (const value of others) expect(faultOf(shape, value)).toMatch(/^it is not /);
  expect(faultOf(shape, others.at(-1))).toBe(`it is not ${expected}`);
});

test("an absent value and null are two things", () => {
  expect([faultOf(optional(text), undefined), faultOf(nullable(text), null)]).toEqual([undefined, undefined]);
  expect([faultOf(optional(text), null), faultOf(nullable(text), undefined)]).toEqual([
    "it is not a string",
    "it is not a string",
  ]);
});

test("a fault names the place in lists, maps and objects, and no member of a map, which may be secret", () => {
  const shape = objectOf({ rows: listOf(mapOf(objectOf({ name: text }))) });
  const value = { rows: [{}, { secret: { name: "a" }, other: { name: 1 } }], more: "kept" };
  expect(faultOf(shape, value, "")).toBe("rows[1]{1}.name is not a string");
  expect(faultOf(shape, { rows: {} }, "document")).toBe("document.rows is not a list");
  expect(faultOf(shape, [], "")).toBe(" is not an object");
});

test("other members are kept", () => {
  const value = { name: "a", more: 1 };
  expect(objectOf({ name: text })(value, "it")).toBe(value);
});

test("what all objects share is no member", () => {
  expect(faultOf(objectOf({ toString: anything }), {})).toBe("it.toString is not there");
});
