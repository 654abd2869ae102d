/** The workflows that `tenancy ci init` writes, as two linters see them: covers src/cli/scaffold/github-workflows.ts. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { githubWorkflows } from "../../../src/cli/scaffold/github-workflows";
import { placeAt } from "../../../src/pipeline";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();

function workflows(): string[] {
  const plan = { stacks: ["staging", "production"], defaultBranch: "main", variables: [] };
  const files = ["", "teams/platform"].map((path) => githubWorkflows({ ...plan, place: placeAt(path) }));
  execFileSync("git", ["init", "--quiet", folder()]);
  return files.flatMap(Object.entries<string>).map(([path, text]) => {
    const file = join(folder(), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  });
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
