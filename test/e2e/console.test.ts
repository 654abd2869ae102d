/** The table that the unit tests of expressions go by is what a real Terraform says. */
import { spawnSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import recorded from "../lib/language/console.json";
import { describeWith } from "../support/programs";
import { temporaryFolder } from "../support/temp-folder";

const folder = temporaryFolder();

beforeEach(() => cp(join(__dirname, "../lib/language/files"), folder(), { recursive: true }));

function consoleOf(program: string) {
  return function answerTo(question: string): string {
    const { TF_CLI_CONFIG_FILE: _unset, ...env } = process.env;
    const { stdout, stderr, error } = spawnSync(program, ["console"], {
      cwd: folder(),
      env,
      input: `${question}\n`,
      encoding: "utf8",
    });
    if (error) throw error;
    if (stdout === "") throw new Error(stderr);
    return stdout;
  };
}

/** One console for all: what it answers to a list is the list of what it would answer. */
function ask(answerTo: (question: string) => string, expressions: readonly string[]): unknown {
  return JSON.parse(JSON.parse(answerTo(`jsonencode([${expressions.join(", ")}])`)) as string);
}

interface Recorded {
  readonly values: Readonly<Record<string, string>>;
  readonly failures: readonly string[];
}

function testAnswers(program: string, { values, failures }: Recorded): void {
  test("each value is the answer of the program", () => {
    expect(
      ask(
        consoleOf(program),
        Object.keys(values).map((text) => `jsonencode(${text})`),
      ),
    ).toEqual(Object.values(values));
  });

  test("each failure is one of the program, too", () => {
    expect(
      ask(
        consoleOf(program),
        failures.map((text) => `can(${text})`),
      ),
    ).toEqual(failures.map(() => false));
  });
}

describeWith(["terraform"], "with Terraform", ({ terraform }) => {
  testAnswers(terraform, recorded);

  test("each type is what Terraform says", () => {
    const [texts, types] = [Object.keys(recorded.types), Object.values(recorded.types)];
    const answer = consoleOf(terraform)(`type([${texts.join(", ")}])`).replace(/\s/g, "");
    expect(answer.replace(/,(?=[\])}])/g, "")).toBe(`tuple([${types.join(",")}])`);
  });
});

describeWith(["terraform-next"], "with the newest Terraform", (programs) =>
  testAnswers(programs["terraform-next"], recorded.newer["terraform-next"]),
);

describeWith(["tofu"], "with OpenTofu", ({ tofu }) => testAnswers(tofu, recorded.newer.tofu));
