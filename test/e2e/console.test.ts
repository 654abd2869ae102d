/** The table that the unit tests of expressions go by is what a real Terraform says. */
import { spawnSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import recorded from "../lib/language/console.json";
import { describeWith } from "../support/programs";
import { temporaryFolder } from "../support/temp-folder";

const folder = temporaryFolder();

beforeEach(() => cp(join(__dirname, "../lib/language/files"), folder(), { recursive: true }));

describeWith(["terraform"], "with Terraform", ({ terraform }) => {
  function answerTo(question: string): string {
    const { TF_CLI_CONFIG_FILE: _unset, ...env } = process.env;
    const { stdout, stderr, error } = spawnSync(terraform, ["console"], {
      cwd: folder(),
      env,
      input: `${question}\n`,
      encoding: "utf8",
    });
    if (error) throw error;
    if (stdout === "") throw new Error(stderr);
    return stdout;
  }

  /** One console for all: what it answers to a list is the list of what it would answer. */
  function ask(expressions: readonly string[]): unknown {
    return JSON.parse(JSON.parse(answerTo(`jsonencode([${expressions.join(", ")}])`)) as string);
  }

  test("each value is what Terraform answers", () => {
    expect(ask(Object.keys(recorded.values).map((text) => `jsonencode(${text})`))).toEqual(
      Object.values(recorded.values),
    );
  });

  test("each type is what Terraform says", () => {
    const [texts, types] = [Object.keys(recorded.types), Object.values(recorded.types)];
    const answer = answerTo(`type([${texts.join(", ")}])`).replace(/\s/g, "");
    expect(answer.replace(/,(?=[\])}])/g, "")).toBe(`tuple([${types.join(",")}])`);
  });

  test("each failure is one of Terraform's too", () => {
    expect(ask(recorded.failures.map((text) => `can(${text})`))).toEqual(recorded.failures.map(() => false));
  });
});
