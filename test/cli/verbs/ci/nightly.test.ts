/** `tenancy ci nightly`, and the job before it that takes away ended access: covers src/cli/verbs/ci/nightly.ts. */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { HOSTS } from "../../../support/merge-host";
import { MergedProject, SECRETS } from "../../../support/merged-project";
import { clockGoesBack, moveClock } from "../../../support/moved-clock";

clockGoesBack();

describe.each(HOSTS)("at %s", (host) => {
  let project: MergedProject;
  afterEach(() => project.close());

  async function running(): Promise<void> {
    project = await MergedProject.start(host, ["platform"]);
    const { code, stdout } = await project.job("apply");
    if (code !== 0) throw new Error(stdout);
  }

  test("drift opens an issue, the next night updates it, and where it is gone the issue is closed", async () => {
    await running();
    const quiet = await project.job("nightly", "platform", { event: "schedule" });
    expect([quiet.code, project.host.issues]).toEqual([0, []]);
    expect(readFileSync(join(quiet.out, "platform.prom"), "utf8")).toContain("tenancy_drift_objects");
    expect(readFileSync(join(quiet.out, "platform.snapshot"), "utf8")).not.toContain("acme");

    const { records } = project.service();
    const usual = Number(records.profile("acme").level);
    records.patchProfile("acme", { level: 7 });
    expect((await project.job("nightly")).code).toBe(0);
    expect(project.host.issues).toMatchObject([{ isOpen: true, title: "Drift: platform" }]);
    expect(project.host.issues[0]?.body).toMatch(/^<!-- tenancy:drift\/platform -->\n[^]*7/);
    records.patchProfile("acme", { level: 8 });
    await project.job("nightly");
    expect(project.host.issues).toHaveLength(1);
    expect(project.host.issues[0]?.body).toContain("8");
    records.patchProfile("acme", { level: usual });
    const last = await project.job("nightly");
    expect(project.host.issues).toMatchObject([{ isOpen: false }]);
    for (const secret of SECRETS) expect(project.told(quiet, last)).not.toContain(secret);
  });

  test("an issue of somebody else that begins alike is left alone", async () => {
    await running();
    const body = "<!-- tenancy:drift/platform -->\nAll is well.";
    project.host.addIssue(body);
    project.service().records.patchProfile("acme", { level: 7 });
    await project.job("nightly");
    expect(project.host.issues).toMatchObject([
      { isOpen: true, title: "Drift", body },
      { isOpen: true, title: "Drift: platform" },
    ]);
  });

  test("the issue says first that ended access is still there, where its job fails", async () => {
    await running();
    const run = await project.packed({ event: "schedule" });
    const environment = { TENANCY_PASSWORD: "wrong" };
    expect((await project.job("apply --ended", "platform", { run, environment })).code).toBe(1);
    expect((await project.job("nightly", "platform", { run })).code).toBe(0);
    const [, warning, gap] = project.host.issues[0]?.body.split("\n") ?? [];
    expect(warning).toContain("**The job that removes ended access has failed");
    expect(gap).toBe("");
  });

  test("without a user, ended access is left to the next apply", async () => {
    await running();
    const sent = project.service().requests.length;
    const { code, stderr } = await project.job("apply --ended", "platform", {
      environment: { TENANCY_USERNAME: "", TENANCY_STATE_KEY: "" },
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining("No user is set here")]);
    expect(project.service().requests).toHaveLength(sent);
  });

  test("access whose end has passed is taken away without an approval, and nothing else is changed", async () => {
    await running();
    await project.merge({ limit: 20, ends: { "realm.view_logs": "2020-01-01" } });
    const { records } = project.service();
    records.patchProfile("acme", { permissions: { realm: { rights: { view_logs: true } } } });
    const { code, stdout } = await project.job("apply --ended");
    expect([code, stdout]).toEqual([0, expect.stringContaining("realm.view_logs")]);
    expect(JSON.stringify(records.profile("acme"), textOfBigInt)).toContain('"view_logs":false');
    expect(stdout).not.toContain("limits_vss_num");
    // A change that only removes access is not applied yet.
    expect(project.host.comments.map(({ body }) => body.split(":")[0])).toEqual(["Apply of `platform`"]);
  });

  test("a night whose commit the branch has left behind looks at nothing", async () => {
    await running();
    const [commit, run] = [project.main, await project.packed({ event: "schedule" })];
    await project.merge({ limit: 20 });
    const sent = project.service().requests.length;
    const { code, stdout } = await project.job("nightly", "platform", { commit, run });
    expect([code, stdout]).toEqual([0, expect.stringContaining("Superseded by")]);
    expect(project.service().requests).toHaveLength(sent);
  });

  test("where drift cannot be looked for the job fails, and a snapshot is taken all the same", async () => {
    await running();
    project.host.api.fault = ({ path }) => (path.endsWith("/issues") ? 502 : undefined);
    const { code, out, stdout } = await project.job("nightly");
    expect([code, stdout]).toEqual([1, expect.stringContaining("several times: 502")]);
    expect(readFileSync(join(out, "platform.snapshot"), "utf8")).not.toBe("");
  });

  test.each(["platform.prom", "platform.snapshot"])(
    "a disk that has no room for %s fails the job, and its other work is done",
    async (name) => {
      await running();
      project.service().records.patchProfile("acme", { level: 7 });
      const full = join(project.remote.folder, "full");
      mkdirSync(full);
      symlinkSync("/dev/full", join(full, name));
      const { code, stdout } = await project.job(`nightly --out ${full}`);
      expect([code, stdout]).toEqual([1, expect.stringContaining("cannot be written (ENOSPC)")]);
      const other = name.endsWith(".prom") ? "platform.snapshot" : "platform.prom";
      expect(readFileSync(join(full, other), "utf8")).not.toBe("");
    },
  );

  test.each(["nightly", "apply --ended"])("a shallow clone is refused: %s", async (verb) => {
    await running();
    const sent = project.service().requests.length;
    const { code, stdout } = await project.job(verb, "platform", { depth: 1 });
    expect([code, stdout]).toEqual([1, expect.stringContaining("the clone is shallow")]);
    expect(project.service().requests).toHaveLength(sent);
  });
});

test("the issue is open while anything is left to do, and closed when nothing is", async () => {
  moveClock("2026-11-27T12:00:00Z");
  const project = await MergedProject.start("github", ["platform"]);
  try {
    await project.job("apply");
    const { records } = project.service();
    const usual = Number(records.profile("acme").level);
    const right = "realm.view_logs";
    const ends = { [right]: "2026-11-27" };
    await project.merge(
      { ends },
      project.approvals(`account: acme, permission: ${right}, until: 2026-11-27`),
    );
    expect((await project.job("apply")).code).toBe(0);
    const later = { [right]: "2026-12-24" };
    const noUser = { TENANCY_PASSWORD: "wrong" };

    const nights: readonly [
      night: string,
      act: () => unknown,
      issue: "open" | "closed",
      options?: { readonly code: number; readonly environment: Record<string, string> },
    ][] = [
      ["all is well", () => undefined, "closed"],
      ["a value was changed outside", () => records.patchProfile("acme", { level: 7 }), "open"],
      ["the service cannot be read", () => undefined, "open", { code: 1, environment: noUser }],
      ["it was changed back", () => records.patchProfile("acme", { level: usual }), "closed"],
      ["a change is merged, and not applied", () => project.merge({ ends, limit: 20 }), "open"],
      [
        "access has ended, and nothing removes it",
        () => project.merge({ ends }).then(() => moveClock("2026-11-28T12:00:00Z")),
        "open",
      ],
      ["a later end is merged without an approval", () => project.merge({ ends: later }), "open"],
      ["the merge is taken back", () => project.merge({ ends }), "open"],
      ["the access is removed", () => project.job("apply --ended"), "closed"],
    ];
    for (const [night, act, issue, { code = 0, environment = {} } = {}] of nights) {
      await act();
      const done = await project.job("nightly", "platform", { event: "schedule", environment });
      const state = project.host.issues.at(-1)?.isOpen === true ? "open" : "closed";
      expect([night, done.code, state]).toEqual([night, code, issue]);
    }
  } finally {
    await project.close();
  }
});

function textOfBigInt(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
