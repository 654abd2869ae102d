/**
 * Answers that Terraform itself gave: covers src/lib/language as a whole, with its functions and types. Also covers src/lib/language/functions,
 * src/lib/language/scope.ts, traverse.ts, src/lib/values/number.ts and types.ts.
 */
import { join } from "node:path";
import { ExpressionError } from "../../../src/problems";
import { evaluate, parseExpression } from "../../../src/lib/language";
import { bare, type Type, typeOf } from "../../../src/lib/values";
import { writeJson } from "../../../src/lib/language/functions/encoding";
import recorded from "./console.json";
import { scopeOf } from "./support";

// What `terraform console` answers to `jsonencode(…)` and `type(…)`, or that it fails; test/e2e/console.test.ts asks it again.
const scope = scopeOf({}, { folder: join(__dirname, "files") });
const evaluated = (text: string) => evaluate(parseExpression(text), scope);
const answer = (text: string) => writeJson(bare(evaluated(text)));

// Functions that only newer programs have.
const newer = Object.values(recorded.newer);

describe("Terraform's answer is ours too", () => {
  test.each([recorded, ...newer].flatMap(({ values }) => Object.entries(values)))("%s", (text, json) =>
    expect(answer(text)).toBe(json),
  );
});

describe("of which type a value is, Terraform says too", () => {
  test.each(Object.entries(recorded.types))("%s: %s", (text, type) =>
    expect(typeText(typeOf(evaluated(text)))).toBe(type),
  );
});

describe("what Terraform refuses fails here too, with an error of ours", () => {
  test.each([recorded, ...newer].flatMap(({ failures }) => failures))("%s", (text) => {
    let failure: unknown;
    try {
      answer(text);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(ExpressionError);
  });
});

/** As Terraform's console writes a type, in one line and without spaces. */
function typeText(type: Type): string {
  if (typeof type === "string") return type === "any" ? "dynamic" : type;
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return `${type.kind}(${typeText(type.element)})`;
    case "tuple":
      return `tuple([${type.elements.map(typeText).join(",")}])`;
    case "object": {
      const members = [...type.members].map(([name, member]) => `${name}:${typeText(member.type)}`);
      return `object({${members.sort().join(",")}})`;
    }
  }
}
