/** This suite covers the marks of `src/lib/values/marks.ts`, as expressions carry them. Also covers src/lib/values/unmark.ts. */
import { expressionFailed } from "../../../src/problems";
import { EPHEMERAL, mark, type Marked, SENSITIVE, UNKNOWN, Unknown, unmark } from "../../../src/lib/values";
import { evaluated, plain, valueOf } from "./support";
import { thrown } from "../../support/thrown";

const SECRET: Readonly<Record<string, Marked>> = {
  "variable.s": mark("secret", SENSITIVE),
  "variable.n": mark(2, SENSITIVE),
  "variable.yes": mark(true, SENSITIVE),
  "variable.list": mark(["a", "b"], SENSITIVE),
  "variable.partly": { open: 1, secret: mark("x", SENSITIVE) },
  "variable.later": mark(UNKNOWN, SENSITIVE),
  "variable.once": mark("token", EPHEMERAL),
};

/** Where the value of an expression is sensitive. */
const sensitiveIn = (text: string) => unmark(evaluated(text, SECRET)).sensitive;

describe("what is made of something sensitive is sensitive", () => {
  test.each([
    '"a${var.s}b"',
    "var.n + 1",
    "-var.n",
    "!var.yes",
    'var.s == "x"',
    "var.yes ? 1 : 2",
    "true ? var.s : null",
    "[1, 2, 3][var.n]",
    "[for x in var.list : x]",
    "[for x in [1] : x if var.yes]",
    "{(var.s) = 1}",
    "upper(var.s)",
    "length(var.list)",
    "jsonencode(var.partly)",
    "concat(var.list, [1])",
    "merge({}, {a = 1}, var.yes ? {b = 1} : {})",
    "toset([var.s])",
    "keys({(var.s) = 1})",
    "sensitive(1)",
    "try(var.s, 1)",
    "coalesce(null, var.s)",
    'templatestring("x $${v}", {v = var.s})',
    "var.later",
    "upper(var.later)",
  ])("%s", (text) => expect(sensitiveIn(text)).toEqual([[]]));
});

describe("what only stands beside something sensitive is not", () => {
  test.each([
    ["var.partly", [["secret"]]],
    ["[1, var.s, {a = var.s}]", [[1], [2, "a"]]],
    ["var.partly.open", []],
    ["[var.s, 1][1]", []],
    ["length([var.s, 1])", []],
    ["keys(var.partly)", []],
    ["values(var.partly)", [[1]]],
    ["merge(var.partly, {b = 1})", [["secret"]]],
    ["concat([1], [var.s])", [[1]]],
    ['zipmap(["a"], [var.s])', [["a"]]],
    ["element([var.s, 1], 0)", [[]]],
    ["nonsensitive(var.s)", []],
    ["issensitive(var.s)", []],
    ["false ? var.s : 1", []],
    ["tolist([var.s, 1])", [[0]]],
    ["reverse([var.s, 1])", [[1]]],
    ["{for k, v in var.partly : k => v}", [["secret"]]],
  ] as const)("%s", (text, places) => expect(sensitiveIn(text)).toEqual(places));
});

test("unmarking gives plain values, with the outermost places of each kind of mark", () => {
  const { value, sensitive, ephemeral } = unmark(
    evaluated('{a = [var.s], b = "${var.once}!", c = var.later}', SECRET),
  );
  expect(plain(value)).toMatchObject({ a: ["secret"], b: "token!" });
  expect(value).toHaveProperty("c", expect.any(Unknown) as Unknown);
  expect(sensitive).toEqual([["a", 0], ["c"]]);
  expect(ephemeral).toEqual([["b"]]);
  expect(unmark(mark({ inner: mark(1, SENSITIVE) }, SENSITIVE)).sensitive).toEqual([[]]);
});

test("ephemeralasnull keeps what may be kept", () => {
  expect(valueOf("ephemeralasnull({a = 1, b = var.once, c = [var.once]})", SECRET)).toEqual({
    a: 1,
    b: null,
    c: [null],
  });
});

test("a failing function does not tell what it was given, when that is sensitive", () => {
  expect.assertions(2);
  try {
    evaluated("file(var.s)", SECRET);
  } catch (error) {
    expect(error).toEqual(thrown(expressionFailed));
    expect((error as Error).message).not.toContain("secret");
  }
});

test("the keys of a sensitive value are not told", () => {
  const values = { "variable.map": mark({ hunter2: 1 }, SENSITIVE) };
  expect(() => evaluated("var.map.hunter", values)).toThrow(
    expect.objectContaining({ advice: undefined }) as Error,
  );
});

test("a marked value never reaches JSON by mistake", () => {
  expect(() => JSON.stringify(SECRET)).toThrow("cannot be written as JSON");
});
