/** The workflows that `tenancy init` writes, as two linters see them: covers src/cli/scaffold/github.ts. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deploymentsOf } from "../../../src/cli/scaffold/deployments";
import { githubFiles } from "../../../src/cli/scaffold/github";
import { placeAt } from "../../../src/pipeline";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();

function workflows(): string[] {
  const deployments = deploymentsOf(["staging=https://a.example", "production=https://b.example:8443"]);
  const files = { ...githubFiles(deployments), ...githubFiles(deployments, placeAt("teams/platform")) };
  execFileSync("git", ["init", "--quiet", folder()]);
  return Object.entries(files).map(([path, text]) => {
    const file = join(folder(), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  });
}

describeWith(["actionlint", "zizmor"], "the workflows of init", ({ actionlint, zizmor }) => {
  test("are valid, but for a key that is newer than the linter", () => {
    // GitHub has had `queue` in `concurrency` since May 2026.
    const words = ["-shellcheck=", "-ignore", 'unexpected key "queue" for "concurrency"', ...workflows()];
    const { status, stdout } = spawnSync(actionlint, words, { encoding: "utf8" });
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
