/** The pipelines that are written for GitLab, read as YAML: who holds what, beside whose code. */
import { parse } from "yaml";
import { gitlabPipeline, inclusionOf } from "../../../src/cli/scaffold/gitlab-pipeline";
import { placeAt, TOP } from "../../../src/pipeline";

interface GitlabJob {
  readonly extends?: string;
  readonly image: string;
  readonly timeout: string;
  readonly interruptible: boolean;
  readonly resource_group?: string;
  readonly environment?: { readonly name: string };
  readonly variables?: Readonly<Record<string, string>>;
  readonly needs?: readonly { readonly job: string; readonly artifacts: boolean }[];
  readonly dependencies: readonly string[];
  readonly rules: readonly { readonly if: string; readonly changes?: readonly string[] }[];
  readonly before_script?: readonly string[];
  readonly script: readonly string[];
  readonly artifacts?: object;
}

/** The jobs of a file, each with all that it extends: maps are merged, and everything else is replaced. */
function jobsIn(text: string): Readonly<Record<string, GitlabJob>> {
  const all = parse(text) as Readonly<Record<string, GitlabJob>>;
  const whole = (name: string): GitlabJob => {
    const job = all[name];
    if (job === undefined) throw new Error(`there is no ${name}`);
    if (job.extends === undefined) return job;
    const base = whole(job.extends);
    return { ...base, ...job, variables: { ...base.variables, ...job.variables } };
  };
  const names = Object.keys(all).filter((name) => !name.startsWith("."));
  return Object.fromEntries(names.map((name) => [name, whole(name)]));
}

const written = (path: string) =>
  gitlabPipeline({
    stacks: ["staging", "production"],
    place: placeAt(path),
    defaultBranch: "main",
    variables: [],
  });
const jobsAt = (path: string) => jobsIn(Object.values(written(path))[0] ?? "");
const jobs = jobsAt(".");

/** What installs with its scripts, tests or synthesizes: code that is not the tool's. */
const RUNS_CODE = /npm ci(?! --ignore-scripts)|npm test|npx|npm run/;

const scriptOf = ({ before_script: before = [], script }: GitlabJob) => [...before, ...script].join("\n");

describe.each(Object.entries(jobs))("%s", (_, job) => {
  test("has no environment, whose variables alone are secret, if it runs the app or its packages; otherwise it installs the locked tool alone", () => {
    if (RUNS_CODE.test(scriptOf(job))) expect(job.environment).toBeUndefined();
    else {
      expect(job.environment?.name).toMatch(/^(tenancy-review|(staging|production)(-read|-ended)?)$/);
      expect(scriptOf(job)).toMatch(
        /^npm ci --ignore-scripts --no-workspaces\nnode node_modules\/tenancy\/lib\/cli\/tenancy\.js ci \S+( |$)/,
      );
    }
  });

  test("runs for a merge request only if it has no environment, and otherwise for the default branch", () => {
    for (const rule of job.rules)
      expect(rule.if).toMatch(
        job.environment === undefined
          ? /^\$CI_PIPELINE_SOURCE == "(merge_request_event"$|(push|schedule)" && \$CI_COMMIT_BRANCH == \$CI_DEFAULT_BRANCH)/
          : /^\$CI_PIPELINE_SOURCE == "(push|schedule)" && \$CI_COMMIT_BRANCH == \$CI_DEFAULT_BRANCH/,
      );
  });

  test("pins its image by a digest, clones the whole history, ends, and nothing stops it", () => {
    expect(job.image).toMatch(/^node:\d+\.\d+\.\d+-bookworm@sha256:[0-9a-f]{64}$/);
    expect(job.variables).toMatchObject({ GIT_DEPTH: "0", TENANCY_STACKS: "staging production" });
    expect(job.timeout).toMatch(/^\d+ minutes$/);
    expect(job.interruptible).toBe(false);
  });

  test("gets no file of another job put into its folder, and leaves what it makes to members alone, for a while", () => {
    expect(job.dependencies).toEqual([]);
    for (const need of job.needs ?? []) expect(need.artifacts).toBe(false);
    if (job.artifacts !== undefined)
      expect(job.artifacts).toMatchObject({
        access: "developer",
        expire_in: expect.stringMatching(/days$/) as string,
      });
  });
});

test("stacks follow each other, and the look for drift follows what takes away ended access", () => {
  const needs = (name: string) => jobs[name]?.needs?.map(({ job }) => job);
  expect(needs("tenancy-apply-production")).toEqual(["tenancy-pack", "tenancy-apply-staging"]);
  expect(needs("tenancy-nightly-production")).toEqual(["tenancy-pack", "tenancy-ended-production"]);
});

test("two projects in one repository share no job, environment, queue, branch or file", () => {
  const there = jobsAt("teams/platform");
  const namesOf = (all: Readonly<Record<string, GitlabJob>>) =>
    Object.entries(all).flatMap(([name, { environment, resource_group, variables }]) => [
      name,
      environment?.name,
      resource_group,
      variables?.["TENANCY_STATE"],
    ]);
  const here = new Set(namesOf(jobs).filter((name) => name !== undefined));
  expect(here.size).toBeGreaterThan(10);
  expect(namesOf(there).filter((name) => name !== undefined && here.has(name))).toEqual([]);
  expect(there["teams-platform-tenancy-apply-staging"]?.rules[0]?.changes).toContain("teams/platform/**/*");
  expect(Object.keys(written("teams/platform"))).toEqual([".gitlab/teams-platform-tenancy.yml"]);
  expect(parse(inclusionOf(TOP))).toMatchObject({ include: [{ local: ".gitlab/tenancy.yml" }] });
});
