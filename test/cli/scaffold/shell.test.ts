/** What the pipelines of all hosts do in a shell, where running a whole pipeline would not show it. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tellOutcome } from "../../../src/cli/scaffold/shell";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();

test("the merged pull request shows the end of a very long apply, with the summary", () => {
  const lines = Array.from({ length: 300 }, (_, index) => `${index} ${"x".repeat(600)}`);
  writeFileSync(join(folder(), "apply.txt"), [...lines, "1 created, 1 failed.", ""].join("\n"));
  const words = { remote: "", sha: "", run: "https://git.example/run", isOlder: "", fail: String };
  const env = { ...process.env, RUNNER_TEMP: folder(), STACK: "production", OUTCOME: "failure" };
  const { status } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", tellOutcome(words)], { env });
  expect(status).toBe(0);
  const result = readFileSync(join(folder(), "result.md"), "utf8");
  expect(result).toMatch(/^Apply of `production`: failure \(\[run\]\(https:\/\/git\.example\/run\)\)\n\n/);
  expect(result).toMatch(/\n {4}1 created, 1 failed\.\n$/);
  expect(result.length).toBeLessThan(32_000);
});
