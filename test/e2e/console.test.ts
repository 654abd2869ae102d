/** The table that the unit tests of expressions go by is what a real Terraform says. */
import { spawnSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import recorded from "../expressions/console.json";
import { describeWith } from "../support/programs";
import { temporaryFolder } from "../support/temp-folder";

const folder = temporaryFolder();

beforeEach(() => cp(join(__dirname, "../expressions/files"), folder(), { recursive: true }));

describeWith(["terraform"], "with Terraform", ({ terraform }) => {
  /** One console for all: what it answers to a list is the list of what it would answer. */
  function ask(expressions: readonly string[]): unknown {
    const { TF_CLI_CONFIG_FILE: _unset, ...env } = process.env;
    const input = `jsonencode([${expressions.join(", ")}])\n`;
    const { stdout, stderr, error } = spawnSync(terraform, ["console"], {
      cwd: folder(),
      env,
      input,
      encoding: "utf8",
    });
    if (error) throw error;
    if (!stdout.startsWith('"')) throw new Error(stderr);
    return JSON.parse(JSON.parse(stdout) as string);
  }

  test("each value is what Terraform answers", () => {
    expect(ask(Object.keys(recorded.values).map((text) => `jsonencode(${text})`))).toEqual(
      Object.values(recorded.values),
    );
  });

  test("each failure is one of Terraform's too", () => {
    expect(ask(recorded.failures.map((text) => `can(${text})`))).toEqual(recorded.failures.map(() => false));
  });
});
