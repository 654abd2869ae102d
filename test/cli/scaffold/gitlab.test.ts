/** The pipelines that `tenancy init` writes for GitLab, read as YAML: who holds what, beside whose code. */
import { spawnSync } from "node:child_process";
import { parse } from "yaml";
import { deploymentsOf } from "../../../src/cli/scaffold/deployments";
import { gitlabFiles, gitlabInclusion } from "../../../src/cli/scaffold/gitlab";
import { placeAt, TOP } from "../../../src/pipeline";
import type { GitlabJob } from "../../support/gitlab-host";

const deployments = deploymentsOf(["staging=https://staging.example", "production=https://storage.example"]);

const jobsAt = (path: string) =>
  parse(Object.values(gitlabFiles(deployments, placeAt(path)))[0] ?? "") as Record<string, GitlabJob>;

const jobs = jobsAt(".");

/** What installs with its scripts, tests or synthesizes: code that is not the tool's. */
const RUNS_CODE = /npm ci(?! --ignore-scripts)|npm test|npx|npm run/;

describe.each(Object.entries(jobs))("%s", (name, job) => {
  const script = job.script.join("\n");

  test("has no environment, whose variables alone are secret, if it runs the app or its packages; otherwise it installs the locked tool alone", () => {
    if (RUNS_CODE.test(script)) {
      expect(job.environment).toBeUndefined();
      expect(script).not.toMatch(/TENANCY_(?!PUBLIC)|curl/);
    } else {
      expect(job.environment?.name).toMatch(/^(tenancy-review|(staging|production)(-read)?)$/);
      expect(script).toContain("npm ci --ignore-scripts --no-workspaces\n");
    }
  });

  test("runs for a merge request if it is its own job, and for the default branch alone otherwise", () => {
    const own = name === "tenancy-merge-request";
    for (const rule of job.rules) {
      if (own) expect(rule.if).toBe('$CI_PIPELINE_SOURCE == "merge_request_event"');
      else
        expect(rule.if).toMatch(
          /^\$CI_PIPELINE_SOURCE == "(push|schedule)" && \$CI_COMMIT_BRANCH == \$CI_DEFAULT_BRANCH/,
        );
    }
  });

  test("pins its image by a digest, and says which version that is; it ends, and nothing stops it", () => {
    expect(job.image).toMatch(/^node:\d+\.\d+\.\d+-bookworm@sha256:[0-9a-f]{64}$/);
    expect(job.timeout).toMatch(/^\d+ minutes$/);
    expect(job.interruptible).toBe(false);
  });

  test("gets no file of another job put into its folder, and leaves what it makes to members alone, for a while", () => {
    expect(job.dependencies).toEqual([]);
    for (const need of job.needs) expect(need.artifacts).toBe(false);
    expect(job.artifacts).toMatchObject({
      access: "developer",
      expire_in: expect.stringMatching(/days$/) as string,
    });
  });

  test("refuses a public repository before it installs anything", () => {
    expect(script.indexOf("exit 1")).toBeLessThan(script.indexOf("npm ci"));
    expect(script).toContain("everybody reads the artifacts of a public one");
  });

  test("has scripts that bash understands", () => {
    expect(spawnSync("bash", ["-n"], { input: script, encoding: "utf8" })).toMatchObject({
      stderr: "",
      status: 0,
    });
  });
});

test("applies queue by stack and follow each other; nothing is sent to another service, and nothing unapproved is widened", () => {
  const [staging, production] = [jobs["tenancy-apply-staging"], jobs["tenancy-apply-production"]];
  expect(staging).toMatchObject({
    environment: { name: "staging" },
    resource_group: "tenancy-apply-staging",
  });
  expect(production?.needs.map(({ job }) => job)).toEqual(["tenancy-synthesize", "tenancy-apply-staging"]);
  for (const [job, origin] of [
    [staging, "https://staging.example"],
    [production, "https://storage.example"],
  ] as const) {
    const script = job?.script.join("\n") ?? "";
    expect(script).toContain(`export TENANCY_ALLOWED_ORIGINS=${origin}\n`);
    expect(script).toContain("--skip-synth --yes --require-approval broadening");
    expect(script).toContain("process_mode=oldest_first");
    // The token is in the shell alone when the tool starts.
    expect(script.indexOf("unset TENANCY_GITLAB_TOKEN")).toBeLessThan(script.indexOf("npm ci"));
  }
});

test("two projects in one repository share no job, environment, queue, branch or file", () => {
  const there = jobsAt("teams/platform");
  const namesOf = (all: Record<string, GitlabJob>) =>
    Object.entries(all).flatMap(([name, { environment, resource_group, script }]) => [
      name,
      environment?.name,
      resource_group,
      /STORE_BRANCH=(.*)/.exec(script.join("\n"))?.[1],
    ]);
  const here = new Set(namesOf(jobs).filter((name) => name !== undefined));
  expect(here.size).toBeGreaterThan(10);
  expect(namesOf(there).filter((name) => name !== undefined && here.has(name))).toEqual([]);
  expect(there["teams-platform-tenancy-apply-staging"]?.rules[0]?.changes).toContain("teams/platform/**/*");
  expect(Object.keys(gitlabFiles(deployments, placeAt("teams/platform")))).toEqual([
    ".gitlab/teams-platform-tenancy.yml",
  ]);
  expect(parse(gitlabInclusion(TOP))).toMatchObject({ include: [{ local: ".gitlab/tenancy.yml" }] });
});
