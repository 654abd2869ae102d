/** This suite covers what failures of expressions tell: everything but what is sensitive or ephemeral. */
import { expressionFailed } from "../../../src/problems";
import { EPHEMERAL, mark, type Marked, SENSITIVE } from "../../../src/lib/values";
import { evaluated } from "./support";

const CANARY = "canary-3141592653";
const NUMBER = 3141592653;

/** Expressions that fail with something secret at hand: text `s`, number `n`, list `l`, object `o`, null `z`. */
const FAILING = [
  // Steps and indexes.
  "{a = 1}[var.s]",
  "{a = {b = 1}}.a[var.s]",
  "[1, 2][var.n]",
  "[1, 2][var.s]",
  "var.l[7]",
  "var.l[var.n]",
  "var.o.a.b",
  "var.o.nothing",
  'var.o["nothing"]',
  'var.o["${var.s}x"]',
  "{(var.s) = 1}.b",
  '{(var.s) = 1}["b"]',
  "{(var.s) = {a = 1}}[var.n]",
  "var.s.a",
  "var.s[0]",
  "var.s.*.a",
  "var.deep[*].nothing",
  'var.deep[*]["${var.s}x"]',
  "var.deep[*].a.b",
  "var.z.a",
  // Loops.
  "{for k in [var.s, var.s] : k => 1}",
  "{for k in var.twice : k => 1}",
  "[for k in var.l : {a = 1}[k]]",
  "[for k, v in var.o : {a = 1}[k]]",
  "[for k in toset(var.l) : tonumber(k)]",
  '{for k, v in var.o : v => k...}["${var.s}x"]',
  "[for k in var.l : [for i in [k] : {a = 1}[i]]]",
  '"%{ for k in var.l }${ {a = 1}[k] }%{ endfor }"',
  '"%{ if var.s }a%{ endif }"',
  "[for k in [1] : k if var.s]",
  "[for k in var.s : k]",
  "[for k in [1] : { (var.z) = 1 }]",
  // Operators.
  "var.s ? 1 : 2",
  "!var.s",
  "-var.s",
  "var.s + 1",
  "1 - var.s",
  "var.s && true",
  "var.s < 1",
  "var.n / 0",
  "true ? {a = var.s} : [var.s]",
  '"a${var.o}"',
  '"a${var.l}"',
  "{(var.l) = 1}",
  // Conversions.
  "tonumber(var.s)",
  "tobool(var.s)",
  "tolist(var.s)",
  "tomap(var.s)",
  "toset(var.s)",
  "tomap({(var.s) = 1, b = [1]})",
  "tomap(var.o)[0]",
  "tolist([var.s, [1]])",
  "tostring({(var.s) = 1})",
  // Functions.
  'regex("^$", var.s)',
  "regex(var.s, 1)",
  'regex("(", var.s)',
  "regex(var.bracket, 1)",
  'replace("a", "/${var.bracket}/", "b")',
  'format("%d", var.s)',
  'format("%q %d", 1, var.s)',
  "format(var.s, 1)",
  'format("%${var.s}", 1)',
  "formatdate(var.s, var.s)",
  'formatdate("YYYY", var.s)',
  "formatlist(var.s, [1], [1, 2])",
  "element([], var.s)",
  "element(var.s, 0)",
  "lookup({a = 1}, var.s)",
  'lookup(var.o, "nothing")',
  'lookup(var.s, "a")',
  "index([1], var.s)",
  'timeadd(var.s, "1h")',
  'timeadd("2026-01-01T00:00:00Z", var.s)',
  "timecmp(var.s, var.s)",
  "jsondecode(var.s)",
  "yamldecode(var.brace)",
  "csvdecode(var.csv)",
  "base64decode(var.s)",
  "base64gunzip(var.s)",
  "urldecode(var.percent)",
  "convert(var.s, number)",
  "convert({(var.s) = 1}, map(bool))",
  "cidrcontains(var.s, var.s)",
  'cidrcontains("10.0.0.0/8", var.s)',
  "textdecodebase64(var.s, var.s)",
  "textencodebase64(var.s, var.s)",
  "parseint(var.s, 10)",
  'parseint("1", var.n)',
  "cidrhost(var.s, 1)",
  'cidrhost("10.0.0.0/8", var.n)',
  'cidrsubnet("10.0.0.0/8", 2, var.n)',
  "cidrnetmask(var.s)",
  'uuidv5(var.s, "a")',
  "file(var.s)",
  'file("./${var.s}")',
  "filebase64(var.s)",
  "templatefile(var.s, {})",
  'templatestring("$${nothing}", {(var.s) = 1})',
  'templatestring("$${tonumber(s)}", {s = var.s})',
  'templatestring("$${ {a = 1}[s] }", {s = var.s})',
  "templatestring(var.open, {})",
  "templatestring(var.calls, {})",
  'coalesce(var.z, "")',
  "coalesce([var.s], {(var.s) = 1})",
  "merge({}, var.s)",
  "merge({}, {(var.s) = 1}, 7)",
  "zipmap([var.s, var.s], [1])",
  "keys(var.s)",
  "keys({(var.s) = 1})[3]",
  "values(var.s)",
  "one([var.s, var.s])",
  "one(var.l)",
  "range(var.s)",
  "range(0, var.n)",
  "slice([1], 0, var.n)",
  "slice(var.l, 0, 9)",
  "chunklist([1], var.s)",
  "substr(var.s, var.s, 1)",
  "join(var.s, var.s)",
  'join(",", [var.o])',
  "split(var.z, var.s)",
  "indent(var.s, 1)",
  "sum([var.s])",
  "max(var.s)",
  "pow(var.s, 2)",
  "log(var.n, var.s)",
  "setproduct(var.s)",
  "setunion(var.s)",
  "transpose(var.o)",
  "matchkeys([1], [var.s], 1)",
  "alltrue([var.s])",
  "anytrue([var.s])",
  "flatten(var.s)",
  "contains(var.s, 1)",
  "concat(var.s)",
  "length(var.n)",
  "sort([var.o])",
  "try(tonumber(var.s), {a = 1}[var.s])",
  "upper(var.l...)",
  "upper(var.s...)",
  "nothing(var.s)",
  'tonumber("${var.s}")',
  'tonumber(nonsensitive("7") + var.s)',
];

function scopeWith(marks: number): Readonly<Record<string, Marked>> {
  const secret = (value: Marked) => mark(value, marks);
  return {
    "variable.s": secret(CANARY),
    "variable.percent": secret(`${CANARY}%`),
    "variable.n": secret(NUMBER),
    "variable.z": secret(null),
    "variable.l": secret([CANARY, `${CANARY}2`]),
    "variable.twice": secret([CANARY, CANARY]),
    "variable.o": secret({ a: 1, [CANARY]: CANARY }),
    "variable.deep": secret([{ a: { [CANARY]: 1 }, [CANARY]: 1 }]),
    "variable.bracket": secret(`(${CANARY}`),
    "variable.brace": secret(`{${CANARY}`),
    "variable.csv": secret(`${CANARY},${CANARY}\n1,2,3`),
    "variable.open": secret(`${CANARY} \${`),
    "variable.calls": secret(`\${${CANARY.replaceAll("-", "_")}(1)} \${tonumber("${CANARY}")}`),
  };
}

/** All that anybody may show of the failure of an expression. */
function toldOf(text: string, scope: Readonly<Record<string, Marked>> = {}): string {
  const error = failureOf(text, scope);
  if (!expressionFailed.is(error)) throw error;
  const causes = [];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  return [error.message, error.detail, error.advice, JSON.stringify(error.where), ...causes].join("\n");
}

function failureOf(text: string, scope: Readonly<Record<string, Marked>>): unknown {
  try {
    evaluated(text, scope);
  } catch (error) {
    return error;
  }
  return new Error("it does not fail");
}

describe.each([
  ["sensitive", scopeWith(SENSITIVE)],
  ["ephemeral", scopeWith(EPHEMERAL)],
])("what fails with something %s does not tell it", (_word, scope) => {
  test.each(FAILING)("%s", (text) => {
    const told = toldOf(text, scope);
    expect(told).not.toMatch(/canary|31415/i);
    expect(told.length).toBeGreaterThan(10);
  });
});

test("a key that is no secret is named, and so is what there is", () => {
  expect(toldOf("{abc = 1}[var.k]", { "variable.k": "abd" })).toContain('"abd"');
  expect(toldOf("[1, 2][7]")).toContain("[7] in a list of 2");
  expect(toldOf('{for k in ["a", "a"] : k => 1}')).toContain('"a"');
});

test("in place of a secret key stands that it is one", () => {
  const told = toldOf("{a = 1}[var.s]", scopeWith(SENSITIVE));
  expect(told).toContain("there is no element with the key (sensitive value)");
  expect(told).toContain("{a = 1}[var.s]");
});
