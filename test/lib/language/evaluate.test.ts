/** Expressions, and what is said of those that have no value: covers src/lib/language/cursor.ts, grammar.ts and operators.ts, besides its own source. */
import { invalidExpression } from "../../../src/problems";
import { parseExpression, evaluate } from "../../../src/lib/language";
import { parseTemplate } from "../../../src/lib/language/grammar";
import { UNKNOWN, Unknown } from "../../../src/lib/values";
import { evaluated, scopeOf, valueOf } from "./support";
import { thrown } from "../../support/thrown";

const template = (text: string, values = {}) => evaluate(parseTemplate(text), scopeOf(values));

describe("templates", () => {
  test.each([
    ["plain text", "plain text"],
    ["a { b } $ % c", "a { b } $ % c"],
    ["${1 + 1}", 2],
    ["n${1}", "n1"],
    ["${true}!", "true!"],
    ["$${var.x} and %%{ if }", "${var.x} and %{ if }"],
    ['$$${"x"}', '$${"x"}'],
    ["%{ if 1 > 2 }a%{ else }b%{ endif }", "b"],
    ["%{ if 1 < 2 }a%{ endif }", "a"],
    ['%{ for x in ["a", "b"] ~}  ${x} %{ endfor ~}  z', "a b z"],
    ["<%{~ for k, v in {b = 2, a = 1} } ${k}${v}%{ endfor }>", "< a1 b2>"],
    ["  ${~ 1 ~}  x", "1x"],
    ['${"${"${1}"}"}', 1],
    ["${<<END\na ${1}\nEND\n}", "a 1\n"],
    ["${<<-END\n    a\n      b\n    END\n}", "a\n  b\n"],
    ["${ 1 /* one */ + # two\n 2 }", 3],
  ])("%j is %j", (text, expected) => expect(template(text)).toEqual(expected));

  test("null, lists and objects cannot be part of a string", () => {
    for (const text of ["a${null}", "a${[1]}", "a${{}}"])
      expect(() => template(text)).toThrow("cannot be part of a string");
  });
});

describe("expressions", () => {
  test.each([
    ["1 + 2 * 3 - -4", 11],
    ["(1 + 2) * 3", 9],
    ["0.1 + 0.2", 0.3],
    ["10 / 4", 2.5],
    ["-7 % 3", -1],
    ["9007199254740993 + 1", 9007199254740994n],
    ["9007199254740993 - 9007199254740992", 1],
    ['"1" + 1', 2],
    ['1 == "1"', false],
    ["null == null", true],
    ["[1, {a = 2}] == [1, {a = 2}]", true],
    ["true || false && false", true],
    ["!true == false", true],
    ["1 < 2 == true", true],
    ["true ? false ? 1 : 2 : 3", 2],
    ['true ? 1 : "a"', "1"],
    ['true ? [1] : ["a", "b"]', ["1"]],
    ['true ? {a = 1} : {b = "x"}', { a: "1" }],
    ["true ? null : 1", null],
    ["true ? 1 : null.x", 1],
    ["[for i, x in [5, 6, 7] : i * x if x != 6]", [0, 14]],
    ["{for k, v in {b = 1, a = 2} : upper(k) => v}", { A: 2, B: 1 }],
    ['{for x in ["ab", "ac", "b"] : substr(x, 0, 1) => x...}', { a: ["ab", "ac"], b: ["b"] }],
    ['{ a = 1, "b" : 2, ("c") = 3\n d = 4\n }', { a: 1, b: 2, c: 3, d: 4 }],
    ["[1, 2,][1]", 2],
    ["[[1, 2], [3]].0.1", 2],
    ['{"0" = 1}[0]', 1],
    ["[{a = [1, 2]}, {a = [3]}][*].a[0]", [1, 3]],
    ["[{a = [1, 2]}, {a = [3]}].*.a[0]", [1, 2]],
    ["null[*]", []],
    ['"a"[*]', ["a"]],
    ["max([1, 5, 2]...)", 5],
    ["1e30", 10n ** 30n],
    ['"\\u00e9\\t\\U0001F600"', "é\t😀"],
  ])("%s is %j", (text, expected) => expect(valueOf(text)).toEqual(expected));

  test.each([
    ["null + 1", "is null"],
    ['"x" + 1', "must be a number"],
    ["1 / 0", "division by zero"],
    ["1 ? 2 : 3", "must be a bool"],
    ["true ? 1 : true", "no type in common"],
    ["[1][1]", "no element [1] in a list of 1"],
    ["[1][-1]", "no element [-1]"],
    ["[1].a", 'so no "a"'],
    ["null.a", "is null"],
    ['toset(["a"])[0]', "set"],
    ['{for s in ["a", "a"] : s => 1}', 'two elements have the key "a"'],
    ["[for x in 1 : x]", "cannot iterate over a number"],
    ["nosuch(1)", 'no function "nosuch"'],
  ])("%s fails: %s", (text, problem) => expect(() => valueOf(text)).toThrow(problem));

  test("a misspelt attribute earns a suggestion, and the error shows the expression", () => {
    expect.assertions(2);
    try {
      valueOf("{limits = 1}.limit");
    } catch (error) {
      expect(error).toMatchObject({ code: "TENANCY_EXPRESSION", advice: 'Did you mean "limits"?' });
      expect(error).toHaveProperty("detail", expect.stringContaining("{limits = 1}.limit"));
    }
  });
});

test.each([
  ["{limits = 1}.nosuch", "The attributes are: limits."],
  ["{}.nosuch", "It has no attributes at all."],
  ['{limits = 1}["nosuch"]', "The keys are: limits."],
  ["[1][1]", "The first element is [0]. Where there may be too few, write try(…, null)."],
  ["null.a", "If it may be null, write try(…, null)."],
])("%s earns the advice: %s", (text, advice) =>
  expect(() => valueOf(text)).toThrow(expect.objectContaining({ advice }) as Error),
);

describe("what only the apply will tell", () => {
  const values = { "variable.u": UNKNOWN, "variable.id": new Unknown({ notNull: true }) };
  test.each([
    "var.u",
    "var.u.a[0]",
    "var.u + 1",
    "var.u || false",
    "true && var.u",
    "var.u ? 1 : 2",
    '"a${var.u}"',
    "[for x in var.u : x]",
    "[for x in [1] : x if var.u]",
    "{(var.u) = 1}",
    "[1, 2][var.u]",
    "var.u == 1",
    "toset([var.u, 1]) == toset([1])",
    "upper(var.u)",
    "max(var.u...)",
  ])("%s is unknown", (text) => expect(valueOf(text, values)).toBeInstanceOf(Unknown));

  test("what is known beside it stays known", () => {
    expect(valueOf("[var.u, 1][1]", values)).toBe(1);
    expect(valueOf("length([var.u, 1])", values)).toBe(2);
    expect(valueOf("{a = var.u, b = 2}.b", values)).toBe(2);
    expect(valueOf("[1, var.u] == [2, var.u]", values)).toBe(false);
    expect(valueOf("tolist([var.u]) == [var.u]", values)).toBe(false);
    expect(valueOf("var.id == null", values)).toBe(false);
    expect(valueOf("false ? var.u : 1", values)).toBe(1);
  });
});

describe("syntax", () => {
  test.each([
    ["${", "ends where an expression"],
    ["${a}", "name of a resource"],
    ["${a.b", "ends where"],
    ["%{ if true }x", "not closed"],
    ["%{ endif }", "does not belong"],
    ["%{ while }", "no directive"],
    ["${1 +}", 'unexpected "}"'],
    ['${"a}', "not closed"],
    ['${"\\q"}', "no such escape"],
    ["${each.x}", 'no "each.x"'],
    ["${[1, 2}", 'unexpected "}"'],
    ["${{a = 1 b = 2}}", 'unexpected "b"'],
  ])("%s is refused: %s", (text, problem) => {
    expect(() => parseTemplate(text)).toThrow(thrown(invalidExpression));
    expect(() => parseTemplate(text)).toThrow(problem);
  });

  test.each([
    ["(", ")"],
    ["[", "]"],
    ["{a=", "}"],
    ["upper(", ")"],
    ['"${', '}"'],
    ["-", ""],
    ["true ? ", " : 1"],
  ])("a hundred thousand times %s is an error, not a crash", (open, close) => {
    const deep = (count: number) => `${open.repeat(count)}1${close.repeat(count)}`;
    expect(() => parseExpression(deep(90))).not.toThrow();
    expect(() => parseExpression(deep(100_000))).toThrow("levels deep");
  });

  test("a long sum does not count as deep nesting", () => {
    expect(evaluated(`1${" + 1".repeat(20_000)}`)).toBe(20_001);
  });
});

test.each([
  ["a heredoc", "<<END\nfirst line\n  second ${local.user.nmae} line\nEND\n"],
  [
    "a heredoc whose indentation is taken away",
    "<<-END\n        first line\n\n        second ${local.user.nmae} line\n        END\n",
  ],
])("what fails inside %s is shown where it stands", (_what, heredoc) => {
  const text = `join("${"far away from it, ".repeat(10)}", [${heredoc}])`;
  const failing = () => valueOf(text, { "local.user": { name: "jane" } });
  expect(failing).toThrow(
    expect.objectContaining({
      place: { text, at: text.indexOf("local.user") },
      detail: expect.stringContaining("second ${local.user.nmae} line") as string,
    }) as Error,
  );
});
