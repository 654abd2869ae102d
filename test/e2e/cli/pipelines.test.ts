/** The workflows of `tenancy ci init`, run job by job and step by step, with npm: covers src/cli/scaffold/github-workflows.ts. */
import { built } from "../../support/built-command";
import { GITHUB_TOKEN } from "../../support/github-api";
import { PipedProject } from "../../support/piped-project";
import { CANARY } from "../../support/piped-repository";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();
let project: PipedProject;

beforeAll(() => built());

afterEach(() => project.close());

const GRANTED = "account: acme, permission: realm.view_logs, until: never";

test("a change is packed, reviewed, approved, merged and applied to one stack after the other, and the night looks for drift", async () => {
  project = await PipedProject.start(folder(), ["staging", "production"]);
  const { api } = project.host;
  const logs: string[] = [];
  const first = await project.pushed();
  logs.push(first.log);
  const both = { "apply (staging)": "success", "apply (production)": "success" };
  expect([first.log, first.jobs]).toEqual([
    expect.any(String),
    { pack: "success", ...both, ...SKIPPED_NIGHT },
  ]);
  const names = api.artifacts.filter(({ run }) => run === first.run.id).map(({ name }) => name);
  expect(names).toEqual(["tenancy-stacks", "tenancy-staging", "tenancy-production"]);

  const change = await project.pullRequest({
    "stacks.json": project.stacks(["realm.view_logs"]),
    ...project.approvals(GRANTED),
  });
  logs.push(change.own.log, change.review.log);
  expect([change.own.jobs, change.review.jobs]).toEqual([{ pack: "success" }, { review: "success" }]);
  expect(api.statuses.at(-1)).toMatchObject({ sha: change.sha, context: "tenancy", state: "success" });
  const merged = await project.merge(change.number, change.sha);
  logs.push(merged.log);
  expect(merged.jobs).toMatchObject(both);
  expect(api.comments.map(({ issue, body }) => [String(issue), body.split(" (")[0]])).toEqual([
    [change.number, expect.stringContaining("<!-- tenancy:. -->")],
    [change.number, "Apply of `staging`: success"],
    [change.number, "Apply of `production`: success"],
  ]);

  project.services["staging"]?.records.patchProfile("acme", { level: 7 });
  const night = await project.nightly();
  logs.push(night.log);
  expect(night.jobs).toEqual({
    pack: "success",
    "apply (staging)": "skipped",
    "apply (production)": "skipped",
    "ended (staging)": "success",
    "ended (production)": "success",
    "nightly (staging)": "success",
    "nightly (production)": "success",
  });
  expect(api.issues).toMatchObject([{ state: "open", title: "Drift: staging" }]);
  for (const secret of [CANARY, GITHUB_TOKEN]) expect(logs.join("\n")).not.toContain(secret);
});

const SKIPPED_NIGHT = {
  "ended (staging)": "skipped",
  "ended (production)": "skipped",
  "nightly (staging)": "skipped",
  "nightly (production)": "skipped",
};

test("in a subfolder of a repository a change goes the same way, and where a stack fails those behind it are not tried", async () => {
  project = await PipedProject.start(folder(), ["staging", "production"], "teams/platform");
  const { host } = project;
  host.secrets["teams-platform-staging"] = { ...project.credentials("staging"), TENANCY_PASSWORD: "wrong" };
  const failed = await project.pushed();
  expect(failed.jobs).toMatchObject({ "apply (staging)": "failure", "apply (production)": "skipped" });
  host.secrets["teams-platform-staging"] = project.credentials("staging");
  const again = await host.run("teams-platform-tenancy.yml", host.main, { name: "push", again: failed.run });
  expect([again.log, again.jobs]).toEqual([
    expect.any(String),
    expect.objectContaining({ "apply (staging)": "success", "apply (production)": "success" }),
  ]);
});
