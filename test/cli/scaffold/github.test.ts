/** The workflows that are written for GitHub, read as YAML: who holds what, beside whose code. */
import { parse } from "yaml";
import { githubWorkflows, type PipelinePlan } from "../../../src/cli/scaffold/github-workflows";
import { placeAt } from "../../../src/pipeline";
import type { Job, Workflow } from "../../support/pipeline-host";

const written = (path: string, plan: Partial<PipelinePlan> = {}) =>
  githubWorkflows({
    stacks: ["staging", "production"],
    place: placeAt(path),
    defaultBranch: "main",
    variables: [],
    ...plan,
  });
const files = written(".");
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

  test("gives each secret and each token to the step of the tool alone", () => {
    expect(text.split("\njobs:")[0]).not.toMatch(/secrets\.|github\.token/);
    for (const job of jobs) expect(JSON.stringify(job.env ?? {})).not.toMatch(/secrets\.|github\.token/);
    for (const { run = "", env } of steps.filter(({ env }) => env !== undefined)) {
      expect(run).toMatch(/^node node_modules\/tenancy\/lib\/cli\/tenancy\.js ci /);
      expect(JSON.stringify(env)).toContain("github.token");
    }
  });

  test("pins each action by the digest of a commit, and says which version that is", () => {
    const uses = text.split("\n").filter((line) => /\buses: /.test(line));
    expect(uses.length).toBeGreaterThan(0);
    for (const line of uses) expect(line).toMatch(/@[0-9a-f]{40}[ ,].*# v\d+\.\d+\.\d+$/);
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

  test("clones the whole history and leaves no credentials there, and puts nothing of an event into a shell", () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const checkout of checkouts)
      expect(checkout.with).toEqual({ "persist-credentials": false, "fetch-depth": 0 });
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });
});

test("no job but those that keep the state may write to the repository", () => {
  const { jobs } = parse(files[".github/workflows/tenancy.yml"] ?? "") as Workflow;
  const writing = Object.entries(jobs).filter(([, { permissions }]) => permissions?.["contents"] === "write");
  expect(writing.map(([name]) => name)).toEqual(["apply", "ended"]);
  expect(jobs["nightly"]?.permissions).toEqual({ actions: "read", contents: "read", issues: "write" });
});

test("variables that somebody added go to every job that evaluates a stack", () => {
  const text = written(".", { variables: ["TF_VAR_mail: ${{ secrets.MAIL }}"] })[
    ".github/workflows/tenancy.yml"
  ];
  const { jobs } = parse(text ?? "") as Workflow;
  for (const name of ["apply", "ended", "nightly"])
    expect(jobs[name]?.steps.find(({ env }) => env !== undefined)?.env).toMatchObject({
      TF_VAR_mail: "${{ secrets.MAIL }}",
    });
});

test("two projects in one repository share no workflow, environment, group of runs, or branch", () => {
  const namesOf = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).flatMap(([path, text]) => {
      const { name, concurrency, env, jobs } = parse(text) as Workflow & { env: Record<string, string> };
      const environments = Object.values(jobs).map(({ environment }) => environment);
      return [path, name, concurrency?.["group"], env["TENANCY_STATE"], ...environments];
    });
  const here = new Set(namesOf(files).filter((name) => name !== undefined));
  expect(here.size).toBeGreaterThan(10);
  const there = namesOf(written("teams/platform"));
  expect(there.filter((name) => name !== undefined && here.has(name))).toEqual([]);
});

test("in a subfolder every pull request has the job that a required status waits for, and only merges that concern the project are applied", () => {
  const all = written("teams/platform");
  const read = (name: string) =>
    parse(all[`.github/workflows/teams-platform-tenancy${name}.yml`] ?? "") as Triggered;
  expect(read("-pull-request").on).toEqual({ pull_request: null });
  expect(read("").on.push?.paths).toEqual([
    "teams/platform/**",
    ".github/workflows/teams-platform-tenancy*.yml",
  ]);
  expect(read("").defaults).toEqual({ run: { "working-directory": "teams/platform" } });
});

type Triggered = Workflow & { readonly on: { readonly push?: { readonly paths: readonly string[] } } };
