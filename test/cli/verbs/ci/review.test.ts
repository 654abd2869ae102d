/** `tenancy ci review` at GitHub: also covers src/pipeline/github.ts, rest.ts, repository.ts and committed.ts. */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { CommandProject } from "../../../support/command";
import { GITHUB_TOKEN, type GithubApi } from "../../../support/github-api";
import { CANARY, ReviewedProject } from "../../../support/reviewed-project";

let project: ReviewedProject;
let api: GithubApi;

beforeAll(async () => {
  project = await ReviewedProject.start(["staging", "production"]);
  api = project.api;
});

beforeEach(() => project.rest());

afterAll(() => project.close());

/** All that anybody at the host can read holds no secret, and no command of the host. */
function expectNothingLeaked(printed: { readonly stdout: string; readonly stderr: string }): void {
  const { comments, statuses, requests } = project.api;
  const said = JSON.stringify([comments, statuses, requests, printed]);
  expect(said).not.toContain(CANARY);
  expect(said).not.toContain(GITHUB_TOKEN);
  expect(printed.stderr).toBe("");
  const [, text = ""] = /^::stop-commands::[0-9a-f]{32}\n(.*)::[0-9a-f]{32}::\n$/s.exec(printed.stdout) ?? [];
  expect(text).not.toMatch(/^\s*::|##\[/m);
}

test("a good change is planned from the newest snapshots, and is green", async () => {
  const { run, sha, pull } = await project.pullRequest(project.stacks({ limit: 20 }));
  const review = await project.review(run);
  expect(review.stdout).toContain(`#${pull.number}: Planned (success).`);
  expect(review.code).toBe(0);
  expect(api.statuses).toMatchObject([{ sha, state: "success", context: "tenancy", description: "Planned" }]);
  expect(api.comments).toHaveLength(1);
  const [comment] = api.comments;
  expect(comment?.body).toMatch(/^<!-- tenancy:\. -->\n[^]*staging[^]*production/);
  expect(comment?.body).toContain("limits_vss_num");
  expect(comment?.body).toMatch(/This plan is only as reliable as the job [^\n]*\n$/);
  for (const stack of ["staging", "production"])
    expect(readFileSync(join(review.folder, "pages", `${stack}.html`), "utf8")).toMatch(/^<!doctype html>/);
  // The service was not asked, and the token went to no other host.
  expect(api.downloads.length).toBe(3);
  expect(api.downloads.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  expectNothingLeaked(review);

  // The next review edits the comment that it made, and nobody else's.
  api.comments.unshift({
    id: 1,
    issue: pull.number,
    user: { login: "mallory" },
    body: "<!-- tenancy:. -->\nFine.",
  });
  await project.review(run);
  expect(api.comments.map(({ user }) => user.login)).toEqual(["mallory", "github-actions[bot]"]);
  expect(api.comments[0]?.body).toBe("<!-- tenancy:. -->\nFine.");
});

test("a disk that has no room for a page fails the job, and the status is red", async () => {
  const { run } = await project.pullRequest(project.stacks({ limit: 20 }));
  const { folder, environment } = project.reviewJob(run);
  mkdirSync(join(folder, "full"));
  symlinkSync("/dev/full", join(folder, "full", "production.html"));
  const review = await new CommandProject(folder).tenancy(["ci", "review", "--pages", "full"], {
    environment,
  });
  expect([review.code, review.stdout]).toEqual([1, expect.stringContaining("cannot be written (ENOSPC)")]);
  expect(api.statuses).toMatchObject([{ state: "failure", description: "The review itself has failed" }]);
});

test("a pull request that cannot be merged is red", async () => {
  const { run, pull } = await project.pullRequest(project.stacks({ limit: 20 }));
  pull.mergeable = false;
  const review = await project.review(run);
  expect(review.code).toBe(0);
  expect(api.statuses).toMatchObject([
    { state: "failure", description: "It cannot be merged into main at present" },
  ]);
  expect(api.comments).toEqual([]);
});

test("a broadening change is red until the merge commit has an approval", async () => {
  const rights = ["realm.view_logs"];
  const first = await project.pullRequest(project.stacks({ rights }));
  await project.review(first.run);
  expect(api.statuses).toMatchObject([{ state: "failure", description: "An approval is missing" }]);
  expect(api.comments[0]?.body).toContain("account: acme-staging, permission: realm.view_logs, until: never");
  expect(api.comments[0]?.body).toContain(
    "account: acme-production, permission: realm.view_logs, until: never",
  );

  const second = await project.pullRequest(
    project.stacks({ rights }),
    project.approvals("account: acme, permission: realm.view_logs, until: never"),
  );
  await project.review(second.run);
  expect(api.statuses[1]).toMatchObject({ sha: second.sha, state: "success" });
});

test("an approval that only the archive has does not count", async () => {
  const change = await project.pullRequest(project.stacks({ rights: ["realm.view_logs"] }));
  project.forge(change, (files) =>
    Object.assign(files, project.approvals("account: acme, permission: realm.view_logs, until: never")),
  );
  const review = await project.review(change.run);
  expect(review.stdout).toContain("is neither a stack nor a variable file");
  expect(review.code).toBe(1);
  expect(api.statuses).toMatchObject([{ state: "failure", description: "The review itself has failed" }]);
});

test("a second pull request with the same last commit and another base makes the status red, open or closed", async () => {
  const jane = await project.pullRequest(project.stacks({ limit: 20 }));
  project.remote.git("branch", "x", "main");
  const mallory = await project.opened(jane.pull.head.ref, jane.sha, "x");
  await project.review(mallory.run);
  mallory.pull.state = "closed";
  await project.review(jane.run);
  expect(api.statuses).toMatchObject(
    Array.from({ length: 2 }, () => ({
      sha: jane.sha,
      state: "failure",
      description: "Another pull request has the same last commit; push a new one",
    })),
  );
  expect(api.comments).toEqual([]);

  // From another branch with that commit, too.
  const other = await project.opened("mallory", jane.sha, "x");
  api.pulls.splice(api.pulls.indexOf(mallory.pull), 1);
  await project.review(other.run);
  expect(api.statuses[2]).toMatchObject({ state: "failure" });
});

test("a head that moves during the review gets no comment and no status", async () => {
  const { run, pull, sha } = await project.pullRequest(project.stacks({ limit: 20 }));
  api.fault = ({ path }) => {
    if (path.endsWith("/zip")) pull.head.sha = "f".repeat(40);
    return undefined;
  };
  const review = await project.review(run);
  expect(review.code).toBe(0);
  expect(review.stdout).toContain(`nothing is said of ${sha}`);
  expect([api.statuses, api.comments]).toEqual([[], []]);

  // A run of the commit that is no longer the last one is nothing to review.
  const late = await project.review(run);
  expect(late.stdout).toContain("there is nothing to review");
  expect([late.code, api.statuses, api.comments]).toEqual([0, [], []]);
});

test("a host that answers 502 is asked again, and at last the review fails", async () => {
  const { run } = await project.pullRequest(project.stacks({ limit: 20 }));
  let left = 2;
  api.fault = () => (left-- > 0 ? 502 : undefined);
  expect((await project.review(run)).code).toBe(0);
  expect(api.statuses).toMatchObject([{ state: "success" }]);

  api.fault = ({ path }) => (path.endsWith("/artifacts") ? 502 : undefined);
  const review = await project.review(run);
  expect(review.code).toBe(1);
  expect(review.stdout).toContain("TENANCY_CI_HOST");
  expect(review.stdout).toMatch(/GitHub refused GET \S+\/artifacts several times: 502/);
  // The earlier green status does not stay.
  expect(api.statuses[1]).toMatchObject({ state: "failure", description: "The review itself has failed" });
});

test("a comment whose answer was lost is not written twice", async () => {
  const { run } = await project.pullRequest(project.stacks({ limit: 20 }));
  let losses = 0;
  api.isLost = ({ method, path }) => method === "POST" && path.endsWith("/comments") && losses++ === 0;
  expect((await project.review(run)).code).toBe(0);
  expect([losses, api.comments.length]).toEqual([1, 1]);
  expect(api.statuses).toMatchObject([{ state: "success" }]);
});

test("a failed job of the pull request is red, whatever it left", async () => {
  const change = await project.pullRequest(project.stacks({ limit: 20 }));
  change.run.conclusion = "failure";
  await project.review(change.run);
  expect(api.statuses).toMatchObject([
    { state: "failure", description: "The pull request's own job has not succeeded" },
  ]);
  expect(api.comments[0]?.body).toBe("<!-- tenancy:. -->\n\nThe pull request's own job has not succeeded.\n");
});

test.each<
  [
    string,
    (files: { artifact: { digest: string; expired: boolean; size: number; head_sha: string } }) => void,
    string,
  ]
>([
  [
    "with another digest",
    ({ artifact }) => (artifact.digest = `sha256:${"0".repeat(64)}`),
    "its digest is not",
  ],
  ["that has expired", ({ artifact }) => (artifact.expired = true), "there is none, or it has expired"],
  ["that is too large", ({ artifact }) => (artifact.size = 2 ** 30), "larger than 32 MiB"],
  [
    "of another commit",
    ({ artifact }) => (artifact.head_sha = "0".repeat(40)),
    "another run, or another commit",
  ],
])("an archive %s is refused, and the status is red", async (_, alter, words) => {
  const { run } = await project.pullRequest(project.stacks({ limit: 20 }));
  const artifact = api.artifacts.findLast(({ name }) => name === "tenancy-stacks");
  if (artifact === undefined) throw new Error("no artifact");
  alter({ artifact });
  const review = await project.review(run);
  expect(review.stdout).toContain(words);
  expect(review.code).toBe(1);
  expect(api.statuses).toMatchObject([{ state: "failure", description: "The review itself has failed" }]);
  expect(api.comments).toEqual([]);
});
