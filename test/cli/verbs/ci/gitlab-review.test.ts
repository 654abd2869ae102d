/** `tenancy ci review` and `tenancy ci pack` at GitLab: also covers src/pipeline/gitlab.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandProject } from "../../../support/command";
import { git } from "../../../support/git-remote";
import { GITLAB_BOT, GITLAB_TOKEN, type GitlabApi } from "../../../support/gitlab-api";
import { GitlabReviews } from "../../../support/gitlab-reviews";
import { CANARY, type PackedPull, ReviewedProject } from "../../../support/reviewed-project";

let project: ReviewedProject;
let reviews: GitlabReviews;
let api: GitlabApi;

beforeAll(async () => {
  project = await ReviewedProject.start(["staging"], "teams/platform");
});

afterAll(() => project.close());

beforeEach(async () => {
  project.rest();
  reviews = await GitlabReviews.start(project);
  ({ api } = reviews);
});

afterEach(() => reviews.close());

const opened = (change: PackedPull, isMerged = true) => reviews.opened(change, isMerged);

async function review() {
  const printed = await reviews.review();
  const said = JSON.stringify([api.notes, api.statuses, printed]);
  expect(said).not.toContain(CANARY);
  expect(said).not.toContain(GITLAB_TOKEN);
  return printed;
}

test("each open merge request is planned, and a second round changes nothing", async () => {
  const good = opened(await project.pullRequest(project.stacks({ limit: 20 })));
  const rights = ["realm.view_logs"];
  const broadening = opened(await project.pullRequest(project.stacks({ rights })), false);
  const approvals = project.approvals("account: acme, permission: realm.view_logs, until: never");
  const approved = opened(await project.pullRequest(project.stacks({ rights }), approvals));
  const { code, folder, stdout } = await review();
  expect(stdout).not.toContain("::stop-commands::");
  expect(code).toBe(0);
  expect(api.statuses).toMatchObject([
    { sha: good.pipeline.sha, status: "success", name: "tenancy/teams-platform", description: "Planned" },
    { sha: broadening.request.sha, status: "failed", description: "An approval is missing" },
    { sha: approved.pipeline.sha, status: "success", description: "Planned" },
  ]);
  expect(api.statuses.map((one) => one.pipeline_id)).toEqual(
    [good, broadening, approved].map(({ pipeline }) => String(pipeline.id)),
  );
  expect(api.notes.map(({ iid, body }) => [iid, body?.split("\n")[0]])).toEqual([
    [good.request.iid, "<!-- tenancy:teams/platform -->"],
    [broadening.request.iid, "<!-- tenancy:teams/platform -->"],
    [approved.request.iid, "<!-- tenancy:teams/platform -->"],
  ]);
  expect(readFileSync(join(folder, "pages", String(good.request.iid), "staging.html"), "utf8")).toMatch(
    /^<!doctype html>/,
  );

  await review();
  expect([api.notes.length, api.statuses.length]).toEqual([3, 3]);
});

test("a job that is under way is left to the next round; a note of somebody else is left alone", async () => {
  const { job, request } = opened(await project.pullRequest(project.stacks({ limit: 20 })));
  job.status = "running";
  await review();
  expect([api.notes, api.statuses]).toEqual([[], []]);
  job.status = "success";
  api.notes.push({
    id: 1,
    iid: request.iid,
    author: { id: 5 },
    body: "<!-- tenancy:teams/platform -->\nFine.",
  });
  await review();
  expect(api.notes.map(({ author }) => author.id)).toEqual([5, GITLAB_BOT.id]);
  expect(api.notes[0]?.body).toBe("<!-- tenancy:teams/platform -->\nFine.");
});

test("one review that fails does not keep the others from theirs", async () => {
  const first = opened(await project.pullRequest(project.stacks({ limit: 20 })));
  opened(await project.pullRequest(project.stacks({ limit: 30 })));
  first.job.files = {};
  const third = opened(await project.pullRequest(project.stacks({ limit: 40 })));
  third.job.files = { "teams/platform/tenancy-stacks.json": Buffer.alloc(33 * 2 ** 20) };
  const { code, stdout } = await review();
  expect(code).toBe(1);
  expect(stdout).toContain("there is none, or it has expired");
  expect(stdout).toContain("it is larger than 32 MiB");
  expect(api.statuses.map(({ status }) => status)).toEqual(["failed", "success", "failed"]);
});

test("a host that answers 502 is asked again, and at last the review fails and the status is red", async () => {
  opened(await project.pullRequest(project.stacks({ limit: 20 })));
  let left = 2;
  api.fault = () => (left-- > 0 ? 502 : undefined);
  expect((await review()).code).toBe(0);
  expect(api.statuses).toMatchObject([{ status: "success" }]);

  api.fault = ({ path }) => (path.includes("/artifacts/") ? 502 : undefined);
  const { code, stdout } = await review();
  expect([code, stdout]).toEqual([1, expect.stringMatching(/GitLab refused GET \S+ several times: 502/)]);
  expect(api.statuses[1]).toMatchObject({ status: "failed", description: "The review itself has failed" });
});

test("a note whose answer was lost is not written twice", async () => {
  opened(await project.pullRequest(project.stacks({ limit: 20 })));
  let losses = 0;
  api.isLost = ({ method, path }) => method === "POST" && path.endsWith("/notes") && losses++ === 0;
  expect((await review()).code).toBe(0);
  expect([losses, api.notes.length]).toEqual([1, 1]);
});

test("a head that moves during the review gets no note and no status", async () => {
  const { request } = opened(await project.pullRequest(project.stacks({ limit: 20 })));
  api.fault = ({ path }) => {
    if (path.includes("/artifacts/")) request.sha = "f".repeat(40);
    return undefined;
  };
  const { code, stdout } = await review();
  expect([code, stdout]).toEqual([0, expect.stringContaining("nothing is said of")]);
  expect([api.statuses, api.notes]).toEqual([[], []]);
});

test("a change elsewhere in the repository is green at once, without a note", async () => {
  const change = await project.pullRequest(project.stacks(), { "../../README.md": "changed" });
  opened({ ...change, archive: undefined });
  await review();
  expect(api.statuses).toMatchObject([
    { status: "success", description: "Nothing of this project is changed" },
  ]);
  expect(api.notes).toEqual([]);
});

test("a merge request that cannot be merged, one of a fork, and a second one with the same commit", async () => {
  const conflicting = opened(await project.pullRequest(project.stacks({ limit: 20 })));
  Object.assign(conflicting.request, { mergeable: false });
  const forked = opened(await project.pullRequest(project.stacks({ limit: 21 })));
  api.pipelines.splice(api.pipelines.indexOf(forked.pipeline), 1);
  const twice = opened(await project.pullRequest(project.stacks({ limit: 22 })));
  api.mergeRequests.push({ ...twice.request, iid: 99, target_branch: "x", state: "closed" });
  expect((await review()).code).toBe(0);
  expect(api.statuses.map(({ sha, description }) => [sha, description])).toEqual([
    [conflicting.pipeline.sha, "It cannot be merged into main at present"],
    [twice.pipeline.sha, "Another pull request has the same last commit; push a new one"],
  ]);
  // GitLab takes no status of a fork's commit, so the note says it.
  expect(api.notes.map(({ iid, body }) => [iid, body?.split("\n").at(2)])).toEqual([
    [forked.request.iid, "The pull request's own job has not succeeded."],
  ]);
});

test("ci pack merges the target branch first, unless the pipeline has done so", async () => {
  const change = await project.pullRequest(project.stacks({ limit: 20 }));
  const clone = project.remote.clone();
  git(clone, "fetch", "-q", "origin", `refs/pull/${change.pull.number}/merge`);
  git(clone, "switch", "-q", "--detach", change.sha);
  const before = project.remote.git("rev-parse", "main");
  project.git("switch", "-q", "--detach", "origin/main");
  await project.write("terraform.tfvars", 'region = "eu"\n');
  project.commit("Meanwhile");
  project.git("push", "-q", "origin", "HEAD:main");
  const job = new CommandProject(join(clone, "teams/platform"));
  const environment = {
    GITLAB_CI: "true",
    TENANCY_STACKS: "staging",
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
  };
  const packed = async (type: string) => {
    const { code, stdout } = await job.tenancy(["ci", "pack"], {
      environment: { ...environment, CI_MERGE_REQUEST_EVENT_TYPE: type },
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining("Packed 1 stack")]);
    return readFileSync(join(job.folder, "tenancy-stacks.json"), "utf8");
  };
  expect(await packed("merged_result")).not.toContain("terraform.tfvars");
  expect(await packed("detached")).toContain("terraform.tfvars");
  project.git("push", "-q", "--force", "origin", `${before}:main`);
});
