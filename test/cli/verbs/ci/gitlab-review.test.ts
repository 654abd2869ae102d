/** `tenancy ci review` and `tenancy ci pack` at GitLab: also covers src/pipeline/gitlab.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandProject } from "../../../support/command";
import { git } from "../../../support/git-remote";
import { GITLAB_BOT, GITLAB_TOKEN, GitlabApi } from "../../../support/gitlab-api";
import { CANARY, type PackedPull, ReviewedProject, SNAPSHOT_KEY } from "../../../support/reviewed-project";

let project: ReviewedProject;
let api: GitlabApi;

beforeAll(async () => {
  project = await ReviewedProject.start(["staging"], "teams/platform");
});

afterAll(() => project.close());

beforeEach(async () => {
  project.rest();
  api = await GitlabApi.start();
  const applied = api.addPipeline({
    sha: project.remote.git("rev-parse", "main"),
    ref: "main",
    source: "push",
  });
  const snapshot = readFileSync(join(project.folder, "staging.snapshot"));
  api.addJob(applied, "teams-platform-tenancy-apply-staging", {
    "teams/platform/tenancy-out/staging.snapshot": snapshot,
  });
});

afterEach(() => api.close());

/** A merge request, its pipeline, and what the job in it left. */
function opened({ pull, sha, merge, packed }: PackedPull, isMerged = true) {
  const { number: iid } = pull;
  project.remote.git("update-ref", `refs/merge-requests/${iid}/merge`, merge);
  const request = {
    iid,
    state: "opened" as const,
    sha,
    source_branch: pull.head.ref,
    target_branch: "main",
    source_project_id: 1,
  };
  api.mergeRequests.push(request);
  api.parents[merge] = project.remote.git("rev-parse", `${merge}^1`, `${merge}^2`).split("\n");
  const pipeline = api.addPipeline({
    iid,
    sha: isMerged ? merge : sha,
    ref: `refs/merge-requests/${iid}/${isMerged ? "merge" : "head"}`,
    source: "merge_request_event",
  });
  const job = api.addJob(pipeline, "teams-platform-tenancy-pack");
  if (packed.code === 0) job.files = { "teams/platform/tenancy-stacks.json": project.archive() };
  return { request, pipeline, job };
}

async function review() {
  const job = new CommandProject(join(project.remote.clone(), "teams/platform"));
  const scheduled = api.addPipeline({
    sha: project.remote.git("rev-parse", "main"),
    ref: "main",
    source: "schedule",
  });
  const printed = await job.tenancy(["ci", "review", "--pages", "pages"], {
    environment: {
      ...api.environment(scheduled),
      TENANCY_STACKS: "staging",
      TENANCY_SNAPSHOT_KEY: SNAPSHOT_KEY,
    },
  });
  const said = JSON.stringify([api.notes, api.statuses, printed]);
  expect(said).not.toContain(CANARY);
  expect(said).not.toContain(GITLAB_TOKEN);
  return { ...printed, folder: job.folder };
}

test("each open merge request is planned, and a second round changes nothing", async () => {
  const good = opened(await project.pullRequest(project.stacks({ limit: 20 })));
  const broadening = opened(
    await project.pullRequest(project.stacks({ rights: ["realm.view_logs"] })),
    false,
  );
  const { code, folder, stdout } = await review();
  expect(stdout).not.toContain("::stop-commands::");
  expect(code).toBe(0);
  expect(api.statuses).toMatchObject([
    { sha: good.pipeline.sha, status: "success", name: "tenancy/teams-platform", description: "Planned" },
    { sha: broadening.request.sha, status: "failed", description: "An approval is missing" },
  ]);
  expect(api.statuses.map((one) => one.pipeline_id)).toEqual(
    [good, broadening].map(({ pipeline }) => String(pipeline.id)),
  );
  expect(api.notes.map(({ iid, body }) => [iid, body?.split("\n")[0]])).toEqual([
    [good.request.iid, "<!-- tenancy:teams/platform -->"],
    [broadening.request.iid, "<!-- tenancy:teams/platform -->"],
  ]);
  expect(readFileSync(join(folder, "pages", String(good.request.iid), "staging.html"), "utf8")).toMatch(
    /^<!doctype html>/,
  );

  await review();
  expect([api.notes.length, api.statuses.length]).toEqual([2, 2]);
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

test("a change elsewhere in the repository is green at once, without a note", async () => {
  const change = await project.pullRequest(project.stacks(), { "../../README.md": "changed" });
  opened({ ...change, packed: { ...change.packed, code: 1 } });
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
    [conflicting.pipeline.sha, "It cannot be merged into main as it stands"],
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
