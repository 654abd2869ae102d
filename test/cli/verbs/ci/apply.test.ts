/** `tenancy ci apply`, in clones, beside imitated hosts and simulated services: covers src/cli/verbs/ci/apply.ts and stack-job.ts. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { HOSTS } from "../../../support/merge-host";
import { MergedProject, SECRETS } from "../../../support/merged-project";
import { stateKey } from "../../../support/state-key";

const GRANTED = "account: acme, permission: realm.view_logs, until: never";

describe.each(HOSTS)("at %s", (host) => {
  let project: MergedProject;
  let comments = 0;
  afterEach(() => project.close());

  /** Since the stacks are live. */
  const newComments = () => project.host.comments.slice(comments);

  /** A project whose account is live in each stack. */
  async function running(...stacks: readonly string[]): Promise<void> {
    project = await MergedProject.start(host, stacks.length === 0 ? ["platform"] : stacks);
    for (const { code, stdout } of Object.values(await project.applied()))
      if (code !== 0) throw new Error(stdout);
    comments = project.host.comments.length;
  }

  test("a merge goes to staging and then to production, and a broadening one only with its approval", async () => {
    await running("staging", "production");
    const before = [project.writes("staging"), project.writes("production")];
    const change = await project.merge({ rights: ["realm.view_logs"] });
    const refused = await project.applied();
    expect(refused["staging"]?.code).toBe(3);
    expect(Object.keys(refused)).toEqual(["staging"]);
    expect([project.writes("staging"), project.writes("production")]).toEqual(before);
    expect(newComments()).toMatchObject([{ pull: change }]);
    expect(newComments()[0]?.body).toMatch(/^Apply of `staging`: an approval is missing \(\[run\]\(/);
    expect(newComments()[0]?.body).toContain(`      - { ${GRANTED} }`);

    const approval = await project.merge({ rights: ["realm.view_logs"] }, project.approvals(GRANTED));
    const applied = await project.applied();
    expect(Object.values(applied).map(({ code }) => code)).toEqual([0, 0]);
    expect(
      newComments()
        .slice(1)
        .map(({ pull, body }) => [pull, body.split(" (")[0]]),
    ).toEqual([
      [approval, "Apply of `staging`: success"],
      [approval, "Apply of `production`: success"],
    ]);
    for (const [stack, { out }] of Object.entries(applied)) {
      expect(project.writes(stack)).toBeGreaterThan(0);
      expect(existsSync(join(out, `${stack}.snapshot`))).toBe(true);
    }
    // Two marks enclose the whole output, and switch GitHub's commands off.
    expect(/^::stop-commands::([0-9a-f]{32})\n[^]*\n::\1::\n$/.test(applied["staging"]?.stdout ?? "")).toBe(
      host === "github",
    );
    const told = project.told(...Object.values(refused), ...Object.values(applied));
    for (const secret of SECRETS) expect(told).not.toContain(secret);
  });

  test("an old run that is run again is superseded: it is green, and sends nothing", async () => {
    await running();
    const [earlier, run] = [project.main, await project.packed()];
    await project.merge({ limit: 20 });
    expect((await project.job("apply")).code).toBe(0);
    const sent = project.service().requests.length;
    const again = await project.job("apply", "platform", { commit: earlier, attempt: 2, run });
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringContaining(`Superseded by ${project.main}. Nothing was sent`),
    ]);
    expect(project.service().requests).toHaveLength(sent);
    // The latest may be run again.
    expect((await project.job("apply")).stdout).toContain("No changes.");
  });

  test("an approval that the default branch has no more does not count", async () => {
    await running();
    await project.merge({ rights: ["realm.view_logs"] }, project.approvals(GRANTED));
    const [commit] = [project.main];
    const [path = ""] = Object.keys(project.approvals(GRANTED));
    const run = await project.packed();
    // A commit beside the project's paths would not supersede the run; here the approval itself is gone.
    project.git("rm", "--quiet", path);
    project.git("commit", "--quiet", "--message", "No longer approved");
    project.git("push", "--quiet", "origin", "HEAD:main");
    const sent = project.writes();
    expect((await project.job("apply", "platform", { commit, run })).stdout).toContain("Superseded by");
    expect((await project.job("apply")).code).toBe(3);
    expect(project.writes()).toBe(sent);
  });

  test("after a rewrite of the default branch an approval has to say from which commit the stack goes on", async () => {
    await running();
    await project.merge({ limit: 20 });
    expect((await project.job("apply")).code).toBe(0);
    const applied = project.main;
    project.git("reset", "--quiet", "--hard", "HEAD^");
    project.git("push", "--quiet", "--force", "origin", "HEAD:main");
    await project.merge({ limit: 30 });
    const sent = project.writes();
    const refused = await project.job("apply");
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain(`continues: ${applied}`);
    expect(project.writes()).toBe(sent);
    const [, path = "", file = ""] =
      /^(approvals\/.*\.yaml):\n\n([^]*?continues: .*\n)/m.exec(refused.stdout) ?? [];
    await project.merge({ limit: 30 }, { [path]: file.replace(applied, project.main) });
    expect((await project.job("apply")).code).toBe(3);
    await project.merge({ limit: 30 }, { [path]: file });
    expect((await project.job("apply")).code).toBe(0);
  });

  test("a commit that a forced push has taken from the default branch is refused", async () => {
    await running();
    await project.merge({ limit: 20 });
    const commit = project.main;
    const run = await project.packed();
    project.git("reset", "--quiet", "--hard", "HEAD^");
    project.git("push", "--quiet", "--force", "origin", "HEAD:main");
    const sent = project.writes();
    const refused = await project.job("apply", "platform", { commit, run });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain(`the commit ${commit} is not on the branch main any more`);
    expect(project.writes()).toBe(sent);
  });

  test("an apply that fails leaves a snapshot and a comment", async () => {
    await running();
    project.service().fail({ method: "PATCH", status: 403, times: 100 });
    const change = await project.merge({ limit: 20 });
    const { code, out } = await project.job("apply");
    expect(code).toBe(1);
    expect(existsSync(join(out, "platform.snapshot"))).toBe(true);
    expect(newComments()).toMatchObject([
      { pull: change, body: expect.stringMatching(/^Apply of `platform`: failure \(/) as string },
    ]);
  });

  test("a very long result is told by its end, with the summary", async () => {
    await running();
    const service = project.service();
    service.fail({ method: "PATCH", status: 403, body: { message: "x".repeat(100_000) }, times: 100 });
    await project.merge({ limit: 20 });
    expect((await project.job("apply")).code).toBe(1);
    expect(newComments()[0]?.body.length).toBeLessThan(40_000);
  });

  test("a stack is refused where the one before has not succeeded in this attempt, whatever the host starts", async () => {
    await running("staging", "production");
    const run = await project.packed();
    const wrong = { TENANCY_PASSWORD: "wrong" };
    expect((await project.job("apply", "staging", { run, environment: wrong })).code).toBe(1);
    const sent = project.service("production").requests.length;
    const refused = await project.job("apply", "production", { run });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain(
      "staging comes before production, and its job in this run has not succeeded",
    );
    expect(project.service("production").requests).toHaveLength(sent);
  });

  test("where the branch of the state takes no push, nothing is written", async () => {
    await running();
    project.remote.hook("exit 1");
    await project.merge({ limit: 20 }).catch(() => undefined);
    const sent = project.writes();
    expect((await project.job("apply")).stdout).toContain("TENANCY_STATE_");
    expect(project.writes()).toBe(sent);
  });

  test("an earlier version of the state that somebody puts back is refused, until a person takes it over", async () => {
    await running();
    const branch = "refs/heads/tenancy-state/platform";
    const earlier = project.remote.git("rev-parse", branch);
    await project.merge({ limit: 20 });
    expect((await project.job("apply")).code).toBe(0);
    await project.merge({ limit: 30 });
    const run = await project.packed();
    const sent = project.writes();
    // A person who may push can put back an earlier version. The job's clone is new: only the newest snapshot has the later sequence.
    const refused = async (verb: string, attempt: number) => {
      const { code, stdout, out } = await project.job(verb, "platform", { run, attempt });
      expect([code, stdout]).toEqual([1, expect.stringContaining("TENANCY_STATE_REPLAYED")]);
      // The next job compares with the same snapshot.
      expect(existsSync(join(out, "platform.snapshot"))).toBe(false);
    };
    project.remote.git("update-ref", branch, earlier);
    await refused("apply", 1);
    await refused("nightly", 1);
    await refused("apply --ended", 1);
    project.remote.git("update-ref", "-d", branch);
    await refused("apply", 2);
    expect(project.writes()).toBe(sent);

    project.remote.git("update-ref", branch, earlier);
    const accepted = await project.atDesk(["state", "accept"], { answer: "yes" });
    expect([accepted.code, accepted.stderr]).toEqual([0, expect.any(String)]);
    const last = await project.job("apply", "platform", { run, attempt: 3 });
    expect([last.code, last.stdout]).toEqual([0, expect.stringContaining("limits_vss_num")]);
  });

  test("a snapshot of another key stops nothing: the next apply leaves one of the new key", async () => {
    await running();
    await project.merge({ limit: 20 });
    const environment = { TENANCY_SNAPSHOT_KEY: stateKey("another key of sixteen letters") };
    const { code, out, stdout } = await project.job("apply", "platform", { environment });
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(
        "The newest snapshot of platform does not show whether the state is an earlier version",
      ),
    ]);
    expect(readFileSync(join(out, "platform.snapshot"), "utf8")).not.toBe("");
  });

  test("a run of the state that died is ended once the host says that its pipeline's run is over", async () => {
    await running();
    await project.merge({ limit: 20 });
    // The version that a run begins with is pushed, and then nothing more: as after the death of its runner.
    project.remote.hook(
      'read old new ref; case "$ref" in refs/heads/tenancy-state/*) if [ -e began ]; then exit 1; fi; touch began ;; esac',
    );
    const run = await project.packed();
    expect((await project.job("apply", "platform", { run })).code).toBe(1);
    project.remote.dropHook();
    // While the host says that the run goes on, others wait. That one's next attempt knows that it is over.
    const attempt = await project.job("apply", "platform", { run, attempt: 2 });
    expect(attempt.stdout).toContain(`its pipeline's run ${run.id} is over`);
    expect(attempt.code).toBe(0);
  });

  test.each(["TENANCY_STATE_KEY", "TENANCY_SNAPSHOT_KEY", "TENANCY_ALLOWED_ORIGINS", "TENANCY_STATE"])(
    "without %s nothing is sent",
    async (name) => {
      project = await MergedProject.start(host, ["platform"]);
      const { code, stdout } = await project.job("apply", "platform", { environment: { [name]: "" } });
      expect([code, stdout]).toEqual([1, expect.stringContaining(name)]);
      expect(project.service().requests).toEqual([]);
    },
  );

  test("a stack that names another service than the environment's sends nothing there", async () => {
    project = await MergedProject.start(host, ["platform"]);
    const environment = { TENANCY_ALLOWED_ORIGINS: "https://elsewhere.example" };
    const { code, stdout } = await project.job("apply", "platform", { environment });
    expect([code, stdout]).toEqual([1, expect.stringContaining("Error TENANCY_ORIGIN_NOT_ALLOWED")]);
    expect(project.service().requests).toEqual([]);
  });

  test("a public repository is refused, unless somebody says that it may be public", async () => {
    project = await MergedProject.start(host, ["platform"]);
    project.host.api.visibility = "public";
    const refused = await project.job("apply");
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining("the artifacts of a public one are public"),
    ]);
    expect(project.service().requests).toEqual([]);
    expect((await project.job("apply", "platform", { environment: { TENANCY_PUBLIC: "true" } })).code).toBe(
      0,
    );
  });

  test("files that stacks read are those of the commit, as in the review", async () => {
    await running();
    await project.merge({ limit: '${try(file("../../../limit.txt"), 99)}' }, { "limit.txt": "20" });
    const { code, stdout } = await project.job("apply");
    expect([code, stdout]).toEqual([0, expect.stringContaining("20")]);
    expect(project.service().records.accounts.at(-1)).toMatchObject({ limits: { vss_num: 20 } });
  });

  test("a shallow clone is refused", async () => {
    project = await MergedProject.start(host, ["platform"]);
    const { code, stdout } = await project.job("apply", "platform", { depth: 1 });
    expect([code, stdout]).toEqual([1, expect.stringContaining("the clone is shallow")]);
    expect(project.service().requests).toEqual([]);
  });

  test("a tool of another version than the default branch's is refused", async () => {
    project = await MergedProject.start(host, ["platform"]);
    const [commit, run] = [project.main, await project.packed()];
    const lock = JSON.stringify({ packages: { "node_modules/tenancy": { version: "9.9.9" } } });
    await project.merge({}, { "package-lock.json": lock });
    const { code, stdout } = await project.job("apply", "platform", { commit, run });
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('package-lock.json of the default branch has "9.9.9"'),
    ]);
  });

  test("a host that answers 502 before the apply stops it, and one that does so afterwards leaves it done", async () => {
    await running();
    await project.merge({ limit: 20 });
    const sent = project.writes();
    const run = await project.packed();
    project.host.api.fault = ({ path }) => (path.includes("/artifacts") ? 502 : undefined);
    const refused = await project.job("apply", "platform", { run });
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("several times: 502")]);
    expect(project.writes()).toBe(sent);
    project.host.api.fault = ({ method, path }) =>
      method === "POST" && /\/(comments|notes)$/.test(path) ? 502 : undefined;
    const { code, stdout } = await project.job("apply", "platform", { run, attempt: 2 });
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("The merged pull request got no comment; the result above is valid."),
    ]);
    expect(project.writes()).toBeGreaterThan(sent);
  });

  test("a full disk fails the job after the apply, and what was applied is kept", async () => {
    await running();
    await project.merge({ limit: 20 });
    const state = () => project.remote.git("rev-parse", "tenancy-state/platform");
    const [before, sent] = [state(), project.writes()];
    const full = join(project.remote.folder, "full");
    mkdirSync(full);
    // Each write to this device says that there is no room left.
    symlinkSync("/dev/full", join(full, "platform.snapshot"));
    const { code, stdout } = await project.job(`apply --out ${full}`);
    expect([code, stdout]).toEqual([1, expect.stringContaining("cannot be written (ENOSPC)")]);
    expect(project.writes()).toBeGreaterThan(sent);
    expect(state()).not.toBe(before);
  });

  test("in a subfolder, only what concerns the project supersedes its runs", async () => {
    project = await MergedProject.start(host, ["platform"], "teams/platform");
    const [commit, run] = [project.main, await project.packed()];
    await project.merge({}, { "/elsewhere.txt": "not ours" });
    const { code, stdout } = await project.job("apply", "platform", { commit, run });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("Superseded")]);
    expect(project.writes()).toBeGreaterThan(0);
  });

  test("outside of a pipeline it says where it belongs", async () => {
    project = await MergedProject.start(host, ["platform"]);
    const { code, stdout } = await project.job("apply", "platform", {
      environment: { GITHUB_ACTIONS: "", GITLAB_CI: "" },
    });
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("this is no job of GitHub Actions or GitLab CI"),
    ]);
  });
});
