/** The workflows that `tenancy init` writes for GitHub, read as YAML: who holds what, beside whose code. */
import { parse } from "yaml";
import { deploymentsOf } from "../../../src/cli/scaffold/deployments";
import { githubFiles } from "../../../src/cli/scaffold/github";
import { placeAt } from "../../../src/pipeline";
import type { Job, Workflow } from "../../support/pipeline-host";

const files = githubFiles(
  deploymentsOf(["staging=https://staging.example", "production=https://storage.example"]),
);
const workflows = Object.entries(files).map(
  ([path, text]) => [path.slice(path.lastIndexOf("/") + 1), text, parse(text) as Workflow] as const,
);

/** What installs with its scripts, tests or synthesizes: code that is not the tool's. */
const RUNS_CODE = /npm ci(?! --ignore-scripts)|npm test|npx|npm run/;

const runsCode = ({ steps }: Job) => steps.some(({ run = "" }) => RUNS_CODE.test(run));

describe.each(workflows)("%s", (_, text, workflow) => {
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  test("gives a job that runs the app or its packages no secret, no token, and no permission to write", () => {
    for (const job of jobs.filter(runsCode)) {
      expect(JSON.stringify(job)).not.toMatch(/secrets\.|github\.token|GITHUB_TOKEN/);
      expect(job.environment).toBeUndefined();
      expect(job.permissions).toEqual({ contents: "read" });
    }
  });

  test("gives each secret and each token to single steps, and never both to one that talks to a service", () => {
    expect(text.split("\njobs:")[0]).not.toMatch(/secrets\.|github\.token/);
    for (const job of jobs) expect(JSON.stringify(job.env ?? {})).not.toMatch(/secrets\.|github\.token/);
    for (const { run = "", env } of steps.filter(({ run }) => run?.includes(".bin/tenancy"))) {
      expect(JSON.stringify(env)).not.toContain("github.token");
      expect(run).not.toMatch(/\bgh\b/);
    }
  });

  test("pins each action by the digest of a commit, and says which version that is", () => {
    for (const line of text.split("\n").filter((line) => /^\s*(?:- )?uses:/.test(line)))
      expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("installs the tool by the project's own lock file, and runs no scripts, beside a secret", () => {
    for (const job of jobs.filter(({ environment }) => environment !== undefined))
      expect(job.steps.map(({ run }) => run)).toContain("npm ci --ignore-scripts --no-workspaces");
  });

  test("names the permissions of each job, and ends it", () => {
    expect(workflow.permissions).toEqual({});
    for (const job of jobs) {
      expect(Object.keys(job.permissions ?? {})).not.toEqual([]);
      expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
    }
  });

  test("leaves no credentials in a clone, and puts nothing of an event into a shell", () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const checkout of checkouts) expect(checkout.with).toEqual({ "persist-credentials": false });
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
    expect(workflow.defaults).toEqual({ run: { shell: "bash" } });
  });

  test("refuses a public repository before anything else", () => {
    expect(jobs[0]?.steps[0]?.name).toBe("Refuse a public repository");
  });
});

test("applies run one after the other, and none is stopped", () => {
  const apply = parse(files[".github/workflows/tenancy-apply.yml"] ?? "") as Workflow;
  expect(apply.concurrency).toEqual({ group: "tenancy-apply", "cancel-in-progress": false, queue: "max" });
});

test("reviews of one branch run one after the other, so that the comment is that of the last commit", () => {
  const review = parse(files[".github/workflows/tenancy-review.yml"] ?? "") as Workflow;
  expect(review.concurrency).toEqual({
    group: "tenancy-review-${{ github.event.workflow_run.head_branch }}",
    "cancel-in-progress": false,
    queue: "max",
  });
});

test("sends nothing to another service than the environment's, and lets applies widen nothing unapproved", () => {
  const { jobs } = parse(files[".github/workflows/tenancy-apply.yml"] ?? "") as Workflow;
  expect(jobs["apply-staging"]?.env).toMatchObject({ TENANCY_ALLOWED_ORIGINS: "https://staging.example" });
  expect(jobs["apply-production"]?.env).toMatchObject({ TENANCY_ALLOWED_ORIGINS: "https://storage.example" });
  for (const name of ["apply-staging", "apply-production"]) {
    const run = jobs[name]?.steps.find(({ id }) => id === "apply")?.run;
    expect(run).toContain("--skip-synth --yes --require-approval broadening");
  }
});

test("two projects in one repository share no workflow, environment, queue, branch or status", () => {
  const deployments = deploymentsOf(["staging=https://staging.example"]);
  const namesOf = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).flatMap(([path, text]) => {
      const { name, concurrency, jobs } = parse(text) as Workflow;
      const own = Object.values(jobs).flatMap(({ environment, env }) => [environment, env?.["STORE_BRANCH"]]);
      return [path, name, concurrency?.["group"], /context=(\S+)/.exec(text)?.[1], ...own];
    });
  const here = new Set(namesOf(githubFiles(deployments)).filter((name) => name !== undefined));
  expect(here.size).toBeGreaterThan(10);
  const there = namesOf(githubFiles(deployments, placeAt("teams/platform")));
  expect(there.filter((name) => name !== undefined && here.has(name))).toEqual([]);
});

test("in a subfolder every pull request has the job that a required status waits for, and only merges that concern the project are applied", () => {
  const all = githubFiles(deploymentsOf(["staging=https://staging.example"]), placeAt("teams/platform"));
  const read = (name: string) =>
    parse(all[`.github/workflows/teams-platform-tenancy-${name}.yml`] ?? "") as Triggered;
  expect(read("pull-request").on).toEqual({ pull_request: null });
  expect(read("apply").on.push?.paths).toEqual([
    "teams/platform/**",
    ".github/workflows/teams-platform-tenancy-apply.yml",
  ]);
});

type Triggered = Workflow & { readonly on: { readonly push?: { readonly paths: readonly string[] } } };
