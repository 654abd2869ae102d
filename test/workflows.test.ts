/** The workflows of this repository: what they run, they run as it was reviewed, and with no more rights than it takes. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly permissions?: object; readonly steps: readonly Step[]; readonly "timeout-minutes"?: number }
    >
  >;
}

const FOLDER = join(__dirname, "..", ".github", "workflows");

describe.each(readdirSync(FOLDER))("%s", (name) => {
  const text = readFileSync(join(FOLDER, name), "utf8");
  const workflow = parse(text) as Workflow;
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  test("pins each action by the digest of a commit, and says which version that is", () => {
    const uses = text.split("\n").filter((line) => /^\s*(?:- )?uses:/.test(line));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("gives each job the rights that it needs by name, and an end", () => {
    expect(workflow.permissions).toEqual({});
    for (const job of Object.values(workflow.jobs)) {
      expect(Object.keys(job.permissions ?? {})).not.toEqual([]);
      expect(job["timeout-minutes"]).toBeLessThanOrEqual(120);
    }
  });

  test("leaves no credentials behind in the clone, and puts nothing of an event into a shell", () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.map((step) => step.with?.["persist-credentials"])).toEqual(checkouts.map(() => false));
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });
});
