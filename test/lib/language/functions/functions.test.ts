import { homedir } from "node:os";
import { gunzipSync } from "node:zlib";
import { expressionFailed, invalidExpression } from "../../../../src/problems";
import { calls } from "../../../../src/lib/language/node";
import {
  define,
  evaluate,
  FUNCTIONS,
  parameters,
  parseExpression,
  references,
} from "../../../../src/lib/language";
import { allMarksOf, emptyObject, mark, SENSITIVE, UNKNOWN, Unknown } from "../../../../src/lib/values";
import { evaluated, scopeOf, valueOf } from "../support";
import { thrown } from "../../../support/thrown";

test("the functions of CDKTF's Fn are there, save those of chance and of private keys", () => {
  for (const name of [
    "abs",
    "join",
    "lookup",
    "cidrsubnets",
    "yamldecode",
    "try",
    "templatefile",
    "strcontains",
  ]) {
    expect(FUNCTIONS.has(name)).toBe(true);
  }
  for (const name of ["uuid", "bcrypt", "rsadecrypt", "constructor"]) expect(FUNCTIONS.has(name)).toBe(false);
});

test("the time is not known while planning, and known at apply", () => {
  expect(evaluate(parseExpression("timestamp()"), scopeOf())).toBe(UNKNOWN);
  const now = "2026-01-31T12:00:00Z";
  expect(evaluate(parseExpression('timeadd(timestamp(), "1h")'), scopeOf({}, { now }))).toBe(
    "2026-01-31T13:00:00Z",
  );
  expect(evaluate(parseExpression("plantimestamp()"), scopeOf({}, { plannedAt: now }))).toBe(now);
});

test("path and terraform tell where the stack lies", () => {
  const scope = scopeOf({}, { folder: "/app/stack" });
  const value = (text: string) => evaluate(parseExpression(text), scope);
  expect([value("path.module"), value("path.root"), value("path.cwd")]).toEqual([".", ".", "/app/stack"]);
  expect(value("terraform.workspace")).toBe("default");
  expect(value('abspath("x")')).toBe("/app/stack/x");
  expect(value('pathexpand("~/x")')).toBe(`${homedir()}/x`);
});

test("what is packed with base64gzip can be unpacked", () => {
  const packed = valueOf('base64gzip("hello")') as string;
  expect(gunzipSync(Buffer.from(packed, "base64")).toString()).toBe("hello");
});

describe("convert takes a type in place of its second argument", () => {
  test("what the value is made of is found, and what is unknown stays so", () => {
    const expression = parseExpression("convert(var.x, list(object({a = optional(string)})))");
    expect(references(expression)).toMatchObject([{ kind: "variable", name: "x" }]);
    const values = { "variable.u": UNKNOWN };
    expect(valueOf("convert({a = 1, b = var.u}, map(string)).a", values)).toBe("1");
    expect(valueOf("convert(var.u, string)", values)).toBe(UNKNOWN);
  });

  test("a mark on a part is on the whole", () => {
    const marked = { "variable.s": mark("1", SENSITIVE) };
    expect(allMarksOf(evaluated("convert([var.s], list(number))", marked))).toBe(SENSITIVE);
  });

  // Terraform refuses these while it reads the configuration, so that its console answers nothing.
  test.each([
    "convert(1)",
    "convert(1, strin)",
    'convert(1, "string")',
    "convert(1, optional(string))",
    "convert(1, var.type)",
    "convert(1, string, number)",
    'convert({}, object({a = optional(string, upper("x"))}))',
    "convert({}, object({a = optional(string, var.x)}))",
  ])("%s is no expression", (text) => {
    expect(() => parseExpression(text)).toThrow(thrown(invalidExpression));
  });
});

test("a list of which parts are unknown is known as far as possible", () => {
  const values = { "variable.u": UNKNOWN };
  expect(valueOf("concat([1], [var.u])", values)).toEqual([1, UNKNOWN]);
  expect(valueOf("merge({a = 1}, {b = var.u}).a", values)).toBe(1);
  expect(valueOf('lookup({a = var.u, b = 2}, "b", 3)', values)).toBe(2);
  expect(valueOf("contains([var.u, 1], 1)", values)).toBe(true);
  expect(valueOf("alltrue([var.u, false])", values)).toBe(false);
  expect(valueOf("coalesce(null, 1, var.u)", values)).toBe(1);
  for (const text of [
    "contains([var.u], 1)",
    "alltrue([var.u, true])",
    "length(toset([var.u, 1]))",
    "flatten([[var.u]])",
    'join(",", [var.u])',
    "jsonencode({a = var.u})",
    "try(var.u.a, 1)",
    "can(var.u.a)",
    "coalesce(var.u, 1)",
    "zipmap([var.u], [1])",
    "[for x in toset([var.u]) : x]",
  ]) {
    expect(valueOf(text, values)).toBeInstanceOf(Unknown);
  }
});

test("output without bounds is refused", () => {
  for (const text of [
    "range(2000)",
    "[for a in range(1024) : [for b in range(1024) : [for c in range(1024) : 1]]]",
    'format("%999999999d", 1)',
    "setproduct(range(1024), range(1024), range(1024))",
    'indent(100000000, "a\\nb")',
    'jsondecode("' + "[".repeat(5000) + '")',
    'yamldecode("' + "[".repeat(50_000) + '")',
    '[for i in range(1000) : replace(join("", range(1000)), "/./", join("", range(1000)))]',
  ]) {
    expect(() => valueOf(text)).toThrow(thrown(expressionFailed));
  }
});

test("values that are built of one another may be deep; that is an error, not a crash", () => {
  let deep: readonly unknown[] = [];
  for (let level = 0; level < 200_000; level++) deep = [deep];
  expect(() => valueOf("jsonencode(var.deep)", { "variable.deep": deep as never })).toThrow(
    "nested too deeply",
  );
});

test("a provider's function is called by its full name", () => {
  const twice = define("provider::tenancy::twice", [parameters.text("text")], ([text]) => text + text);
  const scope = scopeOf({}, { functions: new Map([[twice.name, twice]]) });
  expect(evaluate(parseExpression('provider::tenancy::twice("ab")'), scope)).toBe("abab");
  expect(calls(parseExpression("[upper(lower(var.x)), provider::tenancy::twice(1)]"))).toEqual([
    "upper",
    "lower",
    "provider::tenancy::twice",
  ]);
});

test("a key named __proto__ is a key like any other", () => {
  for (const text of [
    '{"__proto__" = 1}',
    'merge({"__proto__" = 1}, {})',
    'zipmap(["__proto__"], [1])',
    'jsondecode("{\\"__proto__\\": 1}")',
    'yamldecode("__proto__: 1")',
    'tomap({"__proto__" = 1})',
    '{for k in ["__proto__"] : k => 1}',
    'csvdecode("__proto__\\n1")[0]',
  ]) {
    expect(Object.keys(evaluated(text) as object)).toEqual(["__proto__"]);
  }
  expect(() => valueOf("{a = 1}.constructor")).toThrow('no attribute "constructor"');
  expect(() => valueOf('{a = 1}["__proto__"]')).toThrow('"__proto__"');
  expect(valueOf('lookup({}, "toString", "none")')).toBe("none");
  expect(emptyObject()["polluted"]).toBeUndefined();
});

test("references name the thing, the path and the text", () => {
  const text = 'data.tenancy_account.a[0].limits["x"].y[var.i].z + local.l + each.value.q + self.id';
  expect(references(parseExpression(text))).toEqual([
    {
      kind: "data",
      type: "tenancy_account",
      name: "a",
      path: [0, "limits", "x", "y"],
      sourceText: 'data.tenancy_account.a[0].limits["x"].y[var.i].z',
    },
    { kind: "variable", name: "i", path: [], sourceText: "var.i" },
    { kind: "local", name: "l", path: [], sourceText: "local.l" },
    { kind: "each", name: "value", path: ["q"], sourceText: "each.value.q" },
    { kind: "self", path: ["id"], sourceText: "self.id" },
  ]);
});

test("a loop variable hides what has the same name outside", () => {
  expect(references(parseExpression("[for var in [{x = 1}] : var.x]"))).toEqual([]);
  expect(valueOf("[for var in [{x = 1}] : var.x]")).toEqual([1]);
});

test.each(["fileexists", "file", "filemd5", "templatefile"])(
  "%s of a path that no file can have is an error",
  (name) => {
    const more = name === "templatefile" ? ", {}" : "";
    for (const path of ["a\u0000b", "x".repeat(5000)]) {
      expect(() => valueOf(`${name}(var.path${more})`, { "variable.path": path })).toThrow(
        thrown(expressionFailed),
      );
    }
  },
);
