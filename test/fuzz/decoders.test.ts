/** Functions that read what a file or a variable holds: a value, or a typed error, in bounded time. */
import fc from "fast-check";
import { compile, evaluate, parseExpression } from "../../src/lib/language";
import { bare, unmark } from "../../src/lib/values";
import { TenancyError } from "../../src/problems";
import { scopeOf } from "../lib/language/support";
import { damaged, expectCleanPrototypes, hostile, wounds, written } from "../support/hostile/values";
import { rounds } from "../support/rounds";
import { anyCharacter } from "../support/any-character";

jest.setTimeout(rounds(600_000));

const DECODERS = [
  ...["csvdecode", "yamldecode", "jsondecode", "base64decode", "base64gunzip", "urlencode", "urldecode"],
  "parseint",
];

function decode(name: string, text: string): void {
  const call = name === "parseint" ? "parseint(var.text, 36)" : `${name}(var.text)`;
  try {
    bare(unmark(evaluate(parseExpression(call), scopeOf({ "variable.text": text }))).value);
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
  }
  expectCleanPrototypes();
}

const HONEST = [
  'a,b\n1,"2,\n3"\n',
  "a: &x [1, 2]\nb: *x\nc: |\n  text\n? k\n: !!str v\n",
  '{"a":[1,{"b":null}]}',
];

test.each(DECODERS)("%s takes any text", (name) => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    hostile.map(written),
    fc.tuple(fc.constantFrom(...HONEST), wounds).map(([honest, all]) => damaged(honest, all).toString()),
  );
  fc.assert(
    fc.property(text, (drawn) => decode(name, drawn)),
    { numRuns: rounds(500) },
  );
});

const laughs = ["a: &a [x, x, x, x, x, x, x, x, x]"];
for (let level = 1; level < 12; level++) {
  const [name, below] = [level, level - 1].map((index) => String.fromCharCode(97 + index));
  laughs.push(`${name}: &${name} [${Array(9).fill(`*${below}`).join(", ")}]`);
}

test.each([
  ["lists without end", "[".repeat(100_000)],
  ["lists in each other", "[".repeat(50_000) + "]".repeat(50_000)],
  ["objects in each other", '{"a":'.repeat(50_000) + "1" + "}".repeat(50_000)],
  ["YAML in each other", "- ".repeat(50_000)],
  ["YAML that doubles itself", laughs.join("\n")],
  ["YAML that holds itself", "a: &a\n  b: *a\n"],
  ["YAML tags", '!!js/function "return 1"\n'],
  ["a name that is a prototype", "__proto__,constructor\n1,2\n"],
  [
    "a YAML name that is a prototype",
    "__proto__: {polluted: true}\nconstructor: {prototype: {polluted: true}}\n",
  ],
  ["very many columns", `${"a,".repeat(100_000)}\n${"1,".repeat(100_000)}`],
  ["an open quote", `"${"x".repeat(1_000_000)}`],
  ["quotes upon quotes", '"'.repeat(100_001)],
  ["a numeral without end", "9".repeat(1_000_000)],
  ["an exponent without end", `1e${"9".repeat(1_000)}`],
])("no decoder is troubled by %s", (_what, text) => {
  for (const name of DECODERS) decode(name, text);
});

test("a template may be any text", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), hostile.map(written)), (text) => {
      try {
        compile(text);
      } catch (error) {
        if (!(error instanceof TenancyError)) throw error;
      }
    }),
    { numRuns: rounds(500) },
  );
});
