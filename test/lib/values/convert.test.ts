import {
  asInteger,
  asPrimitive,
  convert,
  mark,
  Mismatch,
  SENSITIVE,
  type Type,
  UNKNOWN,
} from "../../../src/lib/values";

const texts: Type = { kind: "list", element: "string" };
const numbersByName: Type = { kind: "map", element: { kind: "list", element: "number" } };

test("a value that cannot be of the type is told with its place, and nothing is thrown", () => {
  const mismatch = convert({ a: [1, "x"] }, numbersByName);
  expect(mismatch).toBeInstanceOf(Mismatch);
  expect(mismatch).toMatchObject({
    path: ["a", 1],
    reason: { kind: "type", wanted: "number", found: "x" },
  });
});

test.each<[string, Type, Mismatch["reason"]]>([
  [
    "a tuple of another length",
    { kind: "tuple", elements: ["string"] },
    { kind: "length", wanted: 1, found: ["a", [1]] },
  ],
  ["elements without a common type", { kind: "list", element: "any" }, { kind: "mixed" }],
])("%s is a mismatch", (_what, type, reason) => {
  expect(convert(["a", [1]], type)).toEqual(new Mismatch(reason));
});

test("a member that is required and absent is a mismatch of the object", () => {
  const type: Type = { kind: "object", members: new Map([["a", { type: "string" }]]) };
  expect(convert({}, type)).toEqual(new Mismatch({ kind: "absent", name: "a" }));
});

test("what is sensitive stays so, and what is not known yet is of every type", () => {
  expect(convert([mark(1, SENSITIVE), UNKNOWN, null], texts)).toEqual([mark("1", SENSITIVE), UNKNOWN, null]);
});

test("what is no finite number has no digits that a text could hold", () => {
  expect([Infinity, NaN].map((value) => asPrimitive(value, "string"))).toEqual([undefined, undefined]);
});

test.each([
  ["12", 12],
  ["1e3", 1000],
  ["9007199254740993", 9007199254740993n],
  [7, 7],
  ["1.5", undefined],
  ["5.00000000000000000001", undefined],
  [true, undefined],
  [null, undefined],
])("%j as a whole number is %p", (value, expected) => expect(asInteger(value)).toBe(expected));
