import { join } from "node:path";
import { ExpressionFailed, InvalidExpression } from "../../src/errors";
import { bare, evaluate, parseExpression } from "../../src/expressions";
import { writeJson } from "../../src/expressions/functions/support/write-json";
import recorded from "./console.json";
import { scopeOf } from "./support";

// What `terraform console` answers to `jsonencode(…)`, or that it fails; test/e2e/console.test.ts asks it again.
const scope = scopeOf({}, { folder: join(__dirname, "files") });
const answer = (text: string) => writeJson(bare(evaluate(parseExpression(text), scope)));

describe("Terraform's answer is ours too", () => {
  test.each(Object.entries(recorded.values))("%s", (text, json) => expect(answer(text)).toBe(json));
});

describe("what Terraform refuses fails here too, with an error of ours", () => {
  test.each(recorded.failures)("%s", (text) => {
    let failure: unknown;
    try {
      answer(text);
    } catch (error) {
      failure = error;
    }
    expect([ExpressionFailed, InvalidExpression]).toContain((failure as Error | undefined)?.constructor);
  });
});
