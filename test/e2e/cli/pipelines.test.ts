/** The workflows that `tenancy init` writes, run step by step: covers src/cli/scaffold/github.ts. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { built } from "../../support/built-command";
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
import { TOKEN } from "../../support/pipeline-host";
import { PipedProject } from "../../support/piped-project";
import { CANARY, type Edits } from "../../support/piped-repository";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();
let project: PipedProject;

beforeAll(() => built());

afterEach(() => project.close());

const writes = (stack: string) => project.writes(stack);

/** A project whose account acme is live in each stack, with a store and a first snapshot. */
async function running(...stacks: readonly string[]) {
  project = await PipedProject.start(folder(), stacks);
  const { jobs } = await project.pushed();
  expect(new Set(Object.values(jobs))).toEqual(new Set(["success"]));
  return project;
}

const GRANTED = "acme gains realm.view_logs";

// The imitated `gh` filters answers with jq, as the real one does by itself.
describeWith(["jq"], "the workflows that init writes", () => {
  test("a broadening change is red until it is approved, and is then applied to staging and after that to production", async () => {
    const { host } = await running("staging", "production");
    const change = await project.pullRequest({ "stacks.json": project.stacks(["realm.view_logs"]) });
    expect(change.review.jobs).toEqual({ review: "success" });
    expect(host.state.statuses).toMatchObject([
      { sha: change.sha, context: "tenancy", state: "failure", description: "An approval is missing" },
    ]);
    expect(host.state.comments).toHaveLength(1);
    const [comment] = host.state.comments;
    expect(comment).toMatchObject({ issue: change.number });
    expect(comment?.body).toMatch(/^<!-- tenancy:\. -->\n[^]*staging[^]*production/);
    expect(comment?.body).toContain(GRANTED);
    const pages = host.artifact(change.review.id, "pages");
    expect(textsIn(pages).filter((page) => page.startsWith("<!doctype html>"))).toHaveLength(2);

    // Merged without an approval, it changes nothing, and production is not even tried.
    const before = [writes("staging"), writes("production")];
    const refused = await project.merge(change.number, change.sha);
    expect(refused.jobs).toMatchObject({ "apply-staging": "failure", "apply-production": "skipped" });
    expect([writes("staging"), writes("production")]).toEqual(before);
    expect(host.state.comments[1]?.body).toMatch(/^Apply of `staging`: failure/);

    const approved = await project.pullRequest(project.approvals(GRANTED));
    expect(host.state.statuses[1]).toMatchObject({ sha: approved.sha, state: "success" });
    const { jobs } = await project.merge(approved.number, approved.sha);
    expect(jobs).toEqual({
      synthesize: "success",
      "apply-staging": "success",
      "apply-production": "success",
    });
    expect(host.state.comments.slice(2).map(({ issue, body }) => [issue, body.split(" (")[0]])).toEqual([
      [approved.number, expect.stringContaining("<!-- tenancy:. -->")],
      [approved.number, "Apply of `staging`: success"],
      [approved.number, "Apply of `production`: success"],
    ]);
    for (const stack of ["staging", "production"]) {
      expect(writes(stack)).toBeGreaterThan(0);
      // The store is kept, encrypted.
      expect(project.store(stack)).not.toContain("acme");
    }
    expect(JSON.stringify(host.state)).not.toContain(CANARY);
  });

  test("the next review edits the comment that it made, and nobody else's", async () => {
    const { host } = await running("platform");
    const change = await project.pullRequest({ "stacks.json": project.stacks([], 20) });
    expect(host.state.statuses).toMatchObject([{ state: "success", description: "Planned" }]);
    host.change(({ comments }) => {
      const forged = {
        id: 9,
        issue: change.number,
        user: { login: "mallory" },
        body: "<!-- tenancy:. -->\nAll is well.",
      };
      comments.unshift(forged);
    });
    const before = host.state.comments.map(({ id }) => id);
    await project.reviewed(change.sha);
    expect(host.state.comments.map(({ id }) => id)).toEqual(before);
    expect(host.state.comments[0]?.body).toBe("<!-- tenancy:. -->\nAll is well.");
  });

  test("a pull request that is not open any more is left alone", async () => {
    const { host } = await running("platform");
    const change = await project.pullRequest({ "stacks.json": project.stacks([], 20) });
    const before = host.state;
    host.change(({ pulls }) => Object.assign(pulls[0] ?? {}, { state: "closed" }));
    expect((await project.reviewed(change.sha)).review.jobs).toEqual({ review: "success" });
    expect(host.state).toMatchObject({ comments: before.comments, statuses: before.statuses });
  });

  test("where the branch of the store takes no push, nothing is sent to the service", async () => {
    project = await PipedProject.start(folder(), ["platform"]);
    const hook = join(project.host.repository, "hooks", "pre-receive");
    writeFileSync(hook, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const { jobs, log } = await project.pushed();
    expect(jobs).toEqual({ synthesize: "success", "apply-platform": "failure" });
    expect(log).toContain("failed: Make sure that the store can be kept\n");
    expect(project.services["platform"]?.requests).toEqual([]);
  });

  test("a run of an earlier commit that somebody runs again is refused, and the latest may be run again", async () => {
    const { host } = await running("platform");
    const earlier = project.git("rev-parse", "main").trim();
    const change = await project.pullRequest({ "stacks.json": project.stacks([], 20) });
    expect((await project.merge(change.number, change.sha)).jobs["apply-platform"]).toBe("success");
    const written = writes("platform");
    const again = await host.run("tenancy-apply.yml", earlier, { name: "push" });
    expect(again.jobs).toEqual({ synthesize: "success", "apply-platform": "failure" });
    expect(again.log).toContain("A later commit has been applied to platform");
    expect(writes("platform")).toBe(written);
    expect((await project.pushed()).jobs["apply-platform"]).toBe("success");
  });

  test.each([
    ["TENANCY_STORE_KEY", "The environment platform lacks the secret TENANCY_STORE_KEY"],
    ["TENANCY_PASSWORD", "a username, but no password"],
  ])("without the secret %s nothing is written", async (name, reason) => {
    project = await PipedProject.start(folder(), ["platform"]);
    delete project.host.secrets["platform"]?.[name];
    const { jobs, log } = await project.pushed();
    expect(jobs).toMatchObject({ "apply-platform": "failure" });
    expect(log).toContain(reason);
    expect(writes("platform")).toBe(0);
  });

  test("a public repository is refused, unless somebody says that it may be public", async () => {
    project = await PipedProject.start(folder(), ["platform"]);
    const { host } = project;
    host.visibility = "public";
    const change = await project.pullRequest({ "stacks.json": project.stacks([], 20) });
    expect([change.own.jobs, change.review.jobs]).toEqual([{ synthesize: "failure" }, { review: "failure" }]);
    const refused = await project.pushed();
    expect(refused.jobs).toEqual({ synthesize: "failure", "apply-platform": "skipped" });
    for (const { log } of [change.own, change.review, refused])
      expect(log).toContain("failed: Refuse a public repository\n");
    host.variables["TENANCY_PUBLIC"] = "true";
    expect((await project.pushed()).jobs).toEqual({ synthesize: "success", "apply-platform": "success" });
  });

  test("where the event does not tell the visibility of the repository, the night's look for drift is refused too", async () => {
    project = await PipedProject.start(folder(), ["platform"]);
    project.host.visibility = "";
    const { jobs, log } = await project.nightly();
    expect(jobs).toEqual({ synthesize: "failure", "drift-platform": "skipped" });
    expect(log).toContain("failed: Refuse a public repository\n");
  });

  test("the drift of a night opens an issue, the next one updates it, and where it is gone the issue is closed", async () => {
    const { host, services } = await running("platform");
    expect((await project.nightly()).jobs).toEqual({ synthesize: "success", "drift-platform": "success" });
    expect(host.state.issues).toEqual([]);
    const usual = services["platform"]?.records.profile("acme").level ?? 0;
    const change = (level: number | bigint) =>
      services["platform"]?.records.patchProfile("acme", { level: Number(level) });
    change(7);
    await project.nightly();
    expect(host.state.issues).toMatchObject([{ state: "open", title: "Drift: platform" }]);
    expect(host.state.issues[0]?.body).toContain("7");
    change(8);
    await project.nightly();
    expect(host.state.issues).toHaveLength(1);
    expect(host.state.issues[0]?.body).toContain("8");
    change(usual);
    await project.nightly();
    expect(host.state.issues).toMatchObject([{ state: "closed" }]);
  });

  test("in a subfolder, a pull request for another part has the required status at once, and one for the project is planned and applied", async () => {
    project = await PipedProject.start(folder(), ["platform"], "teams/platform");
    const { host } = project;
    expect((await project.pushed()).jobs).toEqual({ synthesize: "success", "apply-platform": "success" });
    const other = await project.pullRequest({ "/elsewhere.txt": "not ours", "/broken/package.json": "{" });
    const change = await project.pullRequest({ "stacks.json": project.stacks([], 20) });
    expect([other.own.jobs, other.review.jobs]).toEqual([{ synthesize: "success" }, { review: "success" }]);
    expect(host.state.statuses).toMatchObject([
      {
        sha: other.sha,
        context: "tenancy/teams-platform",
        state: "success",
        description: "Nothing of this project is changed",
      },
      { sha: change.sha, context: "tenancy/teams-platform", state: "success", description: "Planned" },
    ]);
    expect(host.state.comments).toMatchObject([{ issue: change.number }]);
    expect(host.state.comments[0]?.body).toMatch(/^<!-- tenancy:teams\/platform -->\n/);
    expect((await project.merge(change.number, change.sha)).jobs).toMatchObject({
      "apply-platform": "success",
    });
  });

  describe("a hostile pull request", () => {
    /** What GitHub sets in each process of a job. */
    const MARK = "GITHUB_RUN_ID";

    const NO_PLAN = "There is no plan, or it is refused";

    const granting = (): Edits => ({ "stacks.json": project.stacks(["realm.view_logs"]) });

    /** How a review ends, and a part of what it prints that says why. */
    interface Verdict {
      readonly description: string;
      readonly because: string;
    }

    /**
     * Reviews a pull request, and looks whether anything has come out that only the default branch's own jobs may hold.
     * @returns what its code has taken
     */
    async function expectNothingGained(
      edits: (loot: string) => Edits,
      { description, because }: Verdict,
    ): Promise<string> {
      const { host } = await running("platform");
      const sent = project.services["platform"]?.requests.length;
      const place = join(folder(), "loot");
      const change = await project.pullRequest(edits(place));
      const state = description === "Planned" ? "success" : "failure";
      expect(host.state.statuses).toMatchObject([{ sha: change.sha, state, description }]);
      expect(change.review.log).toContain(because);
      expect(project.services["platform"]?.requests).toHaveLength(sent ?? -1);
      const loot = existsSync(place) ? readFileSync(place, "utf8") : "";
      const found = [
        loot,
        change.own.log,
        change.review.log,
        JSON.stringify(host.state),
        ...[change.own, change.review].flatMap(({ id }) => textsIn(join(folder(), "runs", id))),
      ].join("\n");
      for (const secret of [CANARY, TOKEN]) expect(found).not.toContain(secret);
      return loot;
    }

    test("whose app, tests and install scripts read every environment finds no secret", async () => {
      const loot = await expectNothingGained((place) => lootingEverywhere(place, MARK), {
        description: "Planned",
        because: "No changes.",
      });
      expect(loot).toContain(`${MARK}=`);
    });

    test("that changes the address of the service sends nothing there", () =>
      besideThief(async (thief) => {
        await expectNothingGained(() => elsewhere(thief.baseUrl), {
          description: NO_PLAN,
          because: "Error TENANCY_SNAPSHOT_LACKS",
        });
        // Not even merged.
        const { number, head } = project.host.state.pulls[0] as unknown as {
          number: number;
          head: { sha: string };
        };
        const { jobs, log } = await project.merge(String(number), head.sha);
        expect(jobs).toMatchObject({ "apply-platform": "failure" });
        expect(log).toContain("Error TENANCY_ORIGIN_NOT_ALLOWED");
        expect(thief.asked).toEqual([]);
      }));

    test("whose stack reads the environment of the process that plans is refused", () =>
      expectNothingGained(() => READING_THE_ENVIRONMENT, {
        description: NO_PLAN,
        because: '"/proc/self/environ" leads outside of the project\'s folder',
      }));

    test("that brings its own tool, lock file and .npmrc is reviewed by the default branch's tool", async () => {
      const loot = await expectNothingGained((place) => ({ ...ownTool(place, MARK), ...granting() }), {
        description: "An approval is missing",
        because: GRANTED,
      });
      expect(loot).toContain(`${MARK}=`);
    });

    test("that lowers what has to be approved in cdktf.json stays red", () =>
      expectNothingGained(() => ({ ...APPROVING_NOTHING, ...granting() }), {
        description: "An approval is missing",
        because: GRANTED,
      }));

    test("that edits an approval, or the workflows, is judged by those of the default branch", () =>
      expectNothingGained(
        () => ({
          ...editedApproval(project),
          ".github/workflows/tenancy-review.yml": (text) => text.replaceAll("state=failure", "state=success"),
          ...granting(),
        }),
        {
          description: NO_PLAN,
          because: ", line 7: the fingerprint is not that of the entry",
        },
      ));

    test("that uploads a link in place of a file is refused", () =>
      expectNothingGained(() => LINKING, {
        description: "The review itself has failed",
        because: "failed: Take what the pull request's job left, as data\n",
      }));

    test("that uploads a snapshot of its own is planned from the default branch's", async () => {
      const { host } = await running("platform");
      const change = await project.pullRequest({ "stacks.json": project.stacks([], 20) });
      mkdirSync(host.artifact(change.own.id, "snapshot-platform"), { recursive: true });
      writeFileSync(join(host.artifact(change.own.id, "snapshot-platform"), "platform.snapshot"), "forged");
      host.change(({ runs }) => {
        const facts = { id: change.own.id, workflow: "tenancy-apply", created_at: "2030-01-01T00:00:00Z" };
        const fork = { full_name: "mallory/platform" };
        runs.push({ ...facts, event: "push", head_branch: "main", head_repository: fork });
        runs.push({
          ...facts,
          event: "pull_request",
          head_branch: "main",
          head_repository: { full_name: "acme/platform" },
        });
        runs.push({
          ...facts,
          event: "push",
          head_branch: "evil",
          head_repository: { full_name: "acme/platform" },
        });
      });
      await project.reviewed(change.sha);
      expect(host.state.statuses.at(-1)).toMatchObject({ state: "success" });
    });
  });
});
