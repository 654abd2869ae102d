import { compile } from "../../../src/lib/language";
import { allMarksOf, bare, type Marked, typeOf, unmark } from "../../../src/lib/values";
import { expressionFailed } from "../../../src/problems";
import { evaluated, scopeOf, valueOf } from "./support";
import { thrown } from "../../support/thrown";

/** Locals that each name the one before twice. */
function doubled(times: number, again: (before: Marked) => Marked): Marked {
  let value: Marked = "x";
  for (let time = 0; time < times; time++) value = again(value);
  return value;
}

describe("a value that is small in memory and endless when it is written out", () => {
  const asExpression = (before: Marked): Marked => evaluated("[local.x, local.x]", { "local.x": before });
  const asJson = (before: Marked): Marked =>
    compile(["${local.x}", "${local.x}"]).evaluate(scopeOf({ "local.x": before }));
  const asObject = (before: Marked): Marked =>
    compile({ a: "${local.x}", b: { c: "${local.x}" } }).evaluate(scopeOf({ "local.x": before }));

  test.each([
    ["a list in an expression", asExpression],
    ["a list of JSON", asJson],
    ["an object of JSON", asObject],
  ])("is an error where it is made: %s", (_what, again) => {
    const problem = failureOf(() => doubled(60, again));
    expect(problem).toEqual(thrown(expressionFailed));
    expect(problem.message).toBe("the value has more than 4000000 parts when it is written out");
  });

  test("is an error inside of one expression, before a function walks through it", () => {
    const names = Array.from({ length: 40 }, (_unused, level) => `x${level}`);
    const text = names.reduceRight(
      (inner, name) => `[for ${name} in [${inner}] : [${name}, ${name}]]`,
      '"x"',
    );
    expect(failureOf(() => valueOf(`length(jsonencode(${text}))`)).message).toContain("4000000 parts");
  });

  test("is bounded by the length of its texts, too", () => {
    const long = "x".repeat(2 ** 20);
    const again = (before: Marked): Marked =>
      evaluated("[local.x, local.x]", { "local.x": before === "x" ? long : before });
    expect(failureOf(() => doubled(10, again)).message).toContain("4000000 parts");
  });

  test("is walked through just below the bound", () => {
    const value = doubled(20, asExpression);
    typeOf(value);
    allMarksOf(value);
    bare(value);
    expect(unmark(value)).toBeDefined();
  });
});

test("a value that locals nest ever deeper is an error before it exhausts the stack", () => {
  let value: Marked = "x";
  const problem = failureOf(() => {
    for (;;) value = evaluated("[local.x]", { "local.x": value });
  });
  expect(problem.message).toBe("the value is nested more than 400 levels deep");
});

test("a loop that collects very many values under one key ends", () => {
  const many = valueOf('length({for x in setproduct(range(1000), range(400)) : "a" => x[0]...}["a"])');
  expect(many).toBe(400_000);
});

function failureOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("it succeeded");
}
