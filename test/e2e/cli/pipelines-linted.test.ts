/** The workflows that `tenancy ci init` writes, as two linters see them: covers src/cli/scaffold/github-workflows.ts. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { githubWorkflows } from "../../../src/cli/scaffold/github-workflows";
import { placeAt } from "../../../src/pipeline";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();

/** The files of projects with two and with five stacks, at the top of a repository and below it, with a variable that somebody added. */
function workflows(): string[] {
  const places = [2, 5].flatMap((count) => ["", "teams/platform"].map((path) => ({ count, path })));
  return places.flatMap(({ count, path }) => {
    const repository = join(folder(), `${count}-${path.replace("/", "-")}`);
    execFileSync("git", ["init", "--quiet", repository]);
    const files = githubWorkflows({
      stacks: Array.from({ length: count }, (_, index) => `stack-${index}`),
      place: placeAt(path),
      defaultBranch: "main",
      variables: ["TF_VAR_mail: ${{ secrets.MAIL }}"],
    });
    return Object.entries(files).map(([name, text]) => written(join(repository, name), text));
  });
}

function written(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describeWith(["actionlint", "zizmor"], "the workflows of init", ({ actionlint, zizmor }) => {
  test("are valid", () => {
    const { status, stdout } = spawnSync(actionlint, ["-shellcheck=", ...workflows()], { encoding: "utf8" });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });

  test("give an attacker nothing that a comment in them does not justify", () => {
    const words = ["--offline", "--no-progress", ...workflows()];
    const { status, stdout } = spawnSync(zizmor, words, { encoding: "utf8" });
    expect(stdout).toContain("No findings to report");
    expect(status).toBe(0);
  });
});
