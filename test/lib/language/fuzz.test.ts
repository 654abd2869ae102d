/** Random expressions, texts and JSON: covers src/lib/language as a whole. */
import fc from "fast-check";
import { TenancyError } from "../../../src/problems";
import { compile, evaluate, FUNCTIONS, parseExpression } from "../../../src/lib/language";
import { parseTemplate } from "../../../src/lib/language/grammar";
import { bare, mark, SENSITIVE, UNKNOWN, unmark, type Value } from "../../../src/lib/values";
import { scopeOf } from "./support";
import { rounds } from "../../support/rounds";
import { anyCharacter } from "../../support/any-character";

const scope = scopeOf({
  "variable.text": "text",
  "variable.number": 3,
  "variable.list": ["b", "a"],
  "variable.object": { a: 1, b: { c: [true, null] } },
  "variable.unknown": UNKNOWN,
  "variable.secret": mark("secret", SENSITIVE),
});

/** Runs it; every failure must be one of ours, and no mark may be left behind. */
function runs(attempt: () => unknown): void {
  try {
    attempt();
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
  }
}

const ATOMS = [
  "var.text",
  "var.number",
  "var.list",
  "var.object",
  "var.unknown",
  "var.secret",
  "null",
  "true",
  "0",
  "-1.5",
  '"x"',
  '""',
  "[]",
  "{}",
];
// Pure functions only: what reads files has nothing to find here.
const NAMES = [...FUNCTIONS.keys()].filter((name) => !name.startsWith("file") && name !== "templatefile");

/** Expressions of the language's own grammar, so that they get beyond the parser. */
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const part = tie("expression");
  return {
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(...ATOMS),
      fc
        .tuple(part, fc.constantFrom("+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||"), part)
        .map((all) => `(${all.join(" ")})`),
      fc.tuple(fc.constantFrom("-", "!"), part).map((all) => all.join("")),
      fc.tuple(part, part, part).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc
        .tuple(part, fc.constantFrom(".a", "[0]", '["a"]', "[*]", ".*.c", "[*].c", ".0"))
        .map((all) => all.join("")),
      fc.tuple(part, part).map(([a, b]) => `${a}[${b}]`),
      fc.array(part, { maxLength: 3 }).map((all) => `[${all.join(", ")}]`),
      fc
        .array(fc.tuple(part, part), { maxLength: 3 })
        .map((all) => `{${all.map(([k, v]) => `(${k}) = ${v}`).join(", ")}}`),
      fc.tuple(part, part, part).map(([a, b, c]) => `[for k, v in ${a} : ${b} if ${c}]`),
      fc.tuple(part, part).map(([a, b]) => `{for k, v in ${a} : k => ${b}...}`),
      fc.tuple(part, part).map(([a, b]) => `"a \${${a}} %{ if ${b} }x%{ else }y%{ endif }"`),
      fc
        .tuple(fc.constantFrom(...NAMES), fc.array(part, { maxLength: 3 }), fc.constantFrom("", "..."))
        .map(([name, args, more]) => `${name}(${args.join(", ")}${args.length > 0 ? more : ""})`),
    ),
  };
});

test("no expression of the language's grammar makes anything but a value or one of our errors", () => {
  fc.assert(
    fc.property(expression, (text) =>
      runs(() => {
        const { value } = unmark(evaluate(parseExpression(text), scope));
        expect(() => bare(value)).not.toThrow();
      }),
    ),
    { numRuns: rounds(3000) },
  );
});

test("no text makes the reader do anything but read it or refuse it", () => {
  const token = fc.constantFrom(
    "${",
    "%{",
    "}",
    "~",
    "if",
    "for",
    "in",
    "endfor",
    "endif",
    "else",
    '"',
    "\\",
    "(",
    ")",
    "[",
    "]",
    "{",
    "var.text",
    ".",
    "*",
    ",",
    ":",
    "=>",
    "=",
    "?",
    "...",
    "<<A\n",
    "\nA\n",
    "1",
    "//",
    "/*",
    "#",
    "::",
    " ",
    "\n",
    "$${",
  );
  const text = fc.oneof(
    fc.array(token, { maxLength: 25 }).map((all) => all.join("")),
    fc.string({ unit: anyCharacter }),
  );
  fc.assert(
    fc.property(text, (source) => {
      runs(() => evaluate(parseTemplate(source), scope));
      runs(() => evaluate(parseExpression(source), scope));
    }),
    { numRuns: rounds(5000) },
  );
});

test("text without template sequences is itself", () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !/[$%]\{/.test(text)),
      (text) => evaluate(parseTemplate(text), scope) === text,
    ),
  );
});

test("escaped text is itself, whatever stands in it", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const escaped = text.replace(/([$%])(?=\{)/g, "$1$1");
      expect(evaluate(parseTemplate(escaped), scope)).toBe(text.normalize());
    }),
  );
});

test("any JSON can be compiled and evaluated", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      runs(() => compile(json as Value).evaluate(scope));
    }),
  );
});
