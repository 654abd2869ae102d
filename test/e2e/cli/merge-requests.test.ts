/** The pipelines for GitLab that `tenancy init` writes, run line by line: covers src/cli/scaffold/gitlab.ts. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { built } from "../../support/built-command";
import { PROJECT_TOKEN } from "../../support/gitlab-host";
import { GitlabProject } from "../../support/gitlab-project";
import {
  APPROVING_NOTHING,
  besideThief,
  elsewhere,
  LINKING,
  lootingEverywhere,
  ownTool,
  READING_THE_ENVIRONMENT,
  textsIn,
  editedApproval,
} from "../../support/hostile-changes";
import { CANARY, type Edits } from "../../support/piped-repository";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();
let project: GitlabProject;

beforeAll(() => built());

afterEach(() => project.close());

/** A project whose account acme is live in each stack, with a store and a first snapshot. */
async function running(stacks: readonly string[], path?: string) {
  project = await GitlabProject.start(folder(), stacks, path);
  const { jobs, log } = await project.pushed();
  expect([new Set(Object.values(jobs)), log]).toEqual([new Set(["success"]), expect.anything()]);
  return project;
}

const GRANTED = "acme gains realm.view_logs";

describeWith(["curl", "unzip"], "the pipelines for GitLab that init writes", () => {
  test("a broadening change is red until it is approved, and is then applied to staging and after that to production", async () => {
    const { host } = await running(["staging", "production"]);
    const change = await project.mergeRequest({ "stacks.json": project.stacks(["realm.view_logs"]) });
    expect(change.own.jobs).toEqual({ "tenancy-merge-request": "success" });
    const reviewed = await project.review();
    expect([reviewed.jobs, reviewed.log]).toEqual([{ "tenancy-review": "success" }, expect.anything()]);
    const status = { sha: change.sha, name: "tenancy", author: { id: 77 } };
    expect(host.statuses).toMatchObject([
      {
        ...status,
        state: "failed",
        description: "An approval is missing",
        pipeline_id: expect.any(String) as string,
      },
    ]);
    expect(host.notes).toHaveLength(1);
    expect(host.notes[0]?.body).toMatch(/^<!-- tenancy:\. -->\n[^]*staging[^]*production/);
    expect(host.notes[0]?.body).toContain(GRANTED);
    const review = host.job("tenancy-review")?.id ?? 0;
    const pages = textsIn(join(host.artifacts(review), "tenancy-pages", String(change.iid)));
    expect(pages.filter((page) => page.startsWith("<!doctype html>"))).toHaveLength(2);

    // The next round finds everything as it was, and writes nothing.
    const before = host.asked.length;
    await project.review();
    expect(host.asked.slice(before).filter((one) => !one.startsWith("GET"))).toEqual([]);

    // Merged without an approval, it changes nothing, and production is not even tried.
    const writes = [project.writes("staging"), project.writes("production")];
    const refused = await project.merge(change);
    expect(refused.jobs).toMatchObject({
      "tenancy-apply-staging": "failed",
      "tenancy-apply-production": "skipped",
    });
    expect([project.writes("staging"), project.writes("production")]).toEqual(writes);
    expect(host.notes[1]).toMatchObject({ iid: change.iid });
    expect(host.notes[1]?.body).toMatch(/^Apply of `staging`: failure/);

    const approved = await project.mergeRequest(project.approvals(GRANTED));
    await project.review();
    expect(host.statuses[1]).toMatchObject({ sha: approved.sha, state: "success", description: "Planned" });
    const { jobs } = await project.merge(approved);
    expect(jobs).toEqual({
      "tenancy-synthesize": "success",
      "tenancy-apply-staging": "success",
      "tenancy-apply-production": "success",
    });
    expect(host.notes.slice(3).map(({ iid, body }) => [iid, body?.split(" (")[0]])).toEqual([
      [approved.iid, "Apply of `staging`: success"],
      [approved.iid, "Apply of `production`: success"],
    ]);
    for (const stack of ["staging", "production"]) {
      expect(project.writes(stack)).toBeGreaterThan(0);
      // The store is kept, encrypted.
      expect(project.store(stack)).not.toContain("acme");
      expect(host.resourceGroups[`tenancy-apply-${stack}`]).toBe("oldest_first");
    }
    for (const { body = "" } of host.notes) expect(body).not.toContain(CANARY);
  });

  test("in a subfolder, merge requests for other parts are green at once; a review edits the note that it wrote, and nobody else's", async () => {
    const { host } = await running(["platform"], "teams/platform");
    const other = await project.mergeRequest({ "/elsewhere.txt": "not ours" });
    expect(other.own.jobs).toEqual({});
    const change = await project.mergeRequest({ "stacks.json": project.stacks([], 20) });
    const forged = {
      id: 9,
      iid: change.iid,
      author: { id: 5 },
      body: "<!-- tenancy:teams/platform -->\nAll is well.",
    };
    host.notes.push(forged);
    await project.review();
    expect(host.statuses).toMatchObject([
      {
        sha: other.sha,
        name: "tenancy/teams-platform",
        state: "success",
        description: "Nothing of this project is changed",
      },
      { sha: change.sha, name: "tenancy/teams-platform", state: "success", description: "Planned" },
    ]);
    expect(host.notes.map(({ iid }) => iid)).toEqual([change.iid, change.iid]);
    await project.pushed();
    await project.review();
    expect(host.notes).toHaveLength(2);
    expect(host.notes[0]?.body).toBe("<!-- tenancy:teams/platform -->\nAll is well.");
    expect((await project.merge(other)).jobs).toEqual({});
    expect((await project.merge(change)).jobs).toMatchObject({
      "teams-platform-tenancy-apply-platform": "success",
    });
    expect(host.notes[2]?.body).toMatch(/^Apply of `platform`: success/);
  });

  test("where the branch of the store takes no push, or a key is missing, nothing is sent to the service; a public repository is refused", async () => {
    project = await GitlabProject.start(folder(), ["platform"]);
    const { host } = project;
    const apply = async () => {
      const { jobs, log } = await project.pushed();
      expect(jobs).toMatchObject({ "tenancy-apply-platform": "failed" });
      expect(project.services["platform"]?.requests).toEqual([]);
      return log;
    };
    const hook = join(project.repository, "hooks", "pre-receive");
    writeFileSync(hook, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    expect(await apply()).toContain("pre-receive hook declined");
    rmSync(hook);
    delete host.variables["platform"]?.["TENANCY_STORE_KEY"];
    expect(await apply()).toContain("The environment platform lacks the secret TENANCY_STORE_KEY");
    host.visibility = "public";
    const { jobs, log } = await project.pushed();
    expect(jobs).toEqual({ "tenancy-synthesize": "failed", "tenancy-apply-platform": "skipped" });
    expect(log).toContain("everybody reads the artifacts of a public one");
  });

  test("a job for an earlier commit that somebody runs again is refused, and the latest may be run again", async () => {
    const { host } = await running(["platform"]);
    const earlier = project.head();
    const change = await project.mergeRequest({ "stacks.json": project.stacks([], 20) });
    expect((await project.merge(change)).jobs).toMatchObject({ "tenancy-apply-platform": "success" });
    const written = project.writes("platform");
    const again = await host.run("push", earlier);
    expect(again.jobs).toMatchObject({ "tenancy-apply-platform": "failed" });
    expect(again.log).toContain("A later commit has been applied to platform");
    expect(project.writes("platform")).toBe(written);
    expect((await project.pushed()).jobs).toMatchObject({ "tenancy-apply-platform": "success" });
  });

  test("the drift of a night opens an issue, the next one updates it, and where it is gone the issue is closed", async () => {
    const { host, services } = await running(["platform"]);
    expect((await project.nightly()).jobs).toEqual({
      "tenancy-synthesize": "success",
      "tenancy-drift-platform": "success",
    });
    expect(host.issues).toEqual([]);
    const usual = services["platform"]?.records.profile("acme").level ?? 0;
    const change = (level: number | bigint) =>
      services["platform"]?.records.patchProfile("acme", { level: Number(level) });
    change(7);
    await project.nightly();
    expect(host.issues).toMatchObject([{ state: "opened", title: "Drift: platform" }]);
    change(8);
    await project.nightly();
    expect(host.issues).toHaveLength(1);
    expect(host.issues[0]?.description).toContain("8");
    change(usual);
    await project.nightly();
    expect(host.issues).toMatchObject([{ state: "closed" }]);

    // What a job of a merge request could read as well is encrypted, or it is not there.
    delete host.variables["platform-read"]?.["TENANCY_SNAPSHOT_KEY"];
    const { jobs } = await project.nightly();
    expect(jobs).toMatchObject({ "tenancy-drift-platform": "failed" });
    expect(host.job("tenancy-drift-platform")?.artifacts_file).toBeUndefined();
  });

  test("hostile merge requests gain nothing, and are judged by the default branch's tool and pipelines", () =>
    besideThief(async (thief) => {
      const { host } = await running(["platform"]);
      const loot = join(folder(), "loot");
      const granting = { "stacks.json": project.stacks(["realm.view_logs"]) };
      const hostile: readonly [edits: Edits, description: string][] = [
        [lootingEverywhere(loot, MARK), "Planned"],
        [elsewhere(thief.baseUrl), NO_PLAN],
        [READING_THE_ENVIRONMENT, NO_PLAN],
        [{ ...ownTool(loot, MARK), ...APPROVING_NOTHING, ...granting }, "An approval is missing"],
        [
          {
            ...editedApproval(project),
            ...granting,
          },
          NO_PLAN,
        ],
        [LINKING, "The review itself has failed"],
        // Jobs of its own, of whatever name and environment, with a snapshot and a verdict of their own.
        [
          {
            "/.gitlab/tenancy.yml": (text) => `${text.slice(0, text.indexOf("\n# Applies what was merged"))}
tenancy-apply-platform:
  rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]
  environment: { name: platform }
  needs: []
  script:
    - env >> ${loot}
    - mkdir tenancy-snapshot
    - echo forged > tenancy-snapshot/platform.snapshot
  artifacts: { paths: [tenancy-snapshot] }
`,
            ...granting,
          },
          "An approval is missing",
        ],
      ];
      const changes: Awaited<ReturnType<GitlabProject["mergeRequest"]>>[] = [];
      for (const [edits] of hostile) changes.push(await project.mergeRequest(edits));
      // A pipeline of a fork, and one of an earlier commit, say nothing of what is to be merged.
      const fork = await project.mergeRequest(granting);
      project.git("push", "--quiet", "origin", "--delete", "change-8");
      const moved = await project.mergeRequest({ "stacks.json": project.stacks([], 20) });
      host.mergeRequests.forEach((one) => {
        if (one.iid === fork.iid) Object.assign(one, { source_project_id: 2 });
        if (one.iid === moved.iid) Object.assign(one, { sha: changes[0]?.sha });
      });
      host.pipelines.forEach((one) => {
        if (one.sha === fork.sha) Object.assign(one, { project_id: 2 });
      });
      const sent = project.services["platform"]?.requests.length;
      const { jobs, log } = await project.review();

      expect([jobs, log]).toEqual([{ "tenancy-review": "success" }, expect.anything()]);
      const notOurs = "The merge request's own job has not succeeded";
      const descriptions = changes.map(
        ({ sha }) => host.statuses.find((one) => one.sha === sha && one.pipeline_id)?.description,
      );
      expect(descriptions).toEqual(hostile.map(([, description]) => description));
      expect(host.statuses.filter(({ sha }) => sha === fork.sha)).toEqual([]);
      expect(host.notes.find(({ iid }) => iid === fork.iid)?.body).toContain(notOurs);
      expect(host.notes.find(({ iid }) => iid === moved.iid)?.body).toContain(notOurs);
      for (const because of [
        "No changes.",
        "Error TENANCY_SNAPSHOT_LACKS",
        '"/proc/self/environ" leads outside of the project\'s folder',
        GRANTED,
        ", line 7: the fingerprint is not that of the entry",
      ])
        expect(log).toContain(because);
      expect(project.services["platform"]?.requests).toHaveLength(sent ?? -1);

      // Not even merged.
      const [, namingAnother = fork] = changes;
      const merged = await project.merge(namingAnother);
      expect(merged.jobs).toMatchObject({ "tenancy-apply-platform": "failed" });
      expect(merged.log).toContain("Error TENANCY_ORIGIN_NOT_ALLOWED");
      expect(thief.asked).toEqual([]);

      const taken = readFileSync(loot, "utf8");
      expect(taken).toContain(`${MARK}=`);
      const found = [
        taken,
        log,
        ...changes.map(({ own }) => own.log),
        JSON.stringify([host.notes, host.statuses]),
        ...textsIn(join(folder(), "artifacts")),
      ].join("\n");
      for (const secret of [CANARY, PROJECT_TOKEN]) expect(found).not.toContain(secret);
    }));
});

/** What GitLab sets in each process of a job. */
const MARK = "CI_JOB_ID";

const NO_PLAN = "There is no plan, or it is refused";
