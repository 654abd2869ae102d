/** Approval as a user meets it: covers src/cli/approvals.ts, src/cli/verbs/approve.ts and what apply and plan say of it. */
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dayAhead } from "../../src/plan/approval";
import { approvalFiles, readApprovals } from "../../src/plan/approval-file";
import { type CommandProject, commandProjects, type Printed } from "../support/command";

const start = commandProjects();

const BROADENING = ["--require-approval", "broadening"];

/** A stack with the account acme, and these rights of its primary profile. */
const acme = (...rights: readonly string[]) => ({
  provider: { tenancy: [{}] },
  resource: {
    tenancy_account: {
      acme: {
        name: "acme",
        permissions: Object.fromEntries(rights.map((right) => [right, true])),
        access_web: false,
        access_api: false,
      },
    },
  },
});

const GRANTED = "{ account: acme, permission: realm.view_logs, until: never }";

/** A project whose account is live, and declared to be given a right. */
async function broadening() {
  const project = await start();
  await project.declare({ prod: acme() });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  await project.declare({ prod: acme("realm.view_logs") });
  const patches = () => project.service.requests.filter(({ method }) => method === "PATCH").length;
  return { project, patches };
}

/** Writes the file of an approval. @returns its path in the project */
async function approve(project: CommandProject, facts: object = {}): Promise<string> {
  const origin = new URL(project.environment["TENANCY_BASE_URL"] ?? "").origin;
  const whole = {
    ...{ stack: "prod", service: origin, until: dayAhead(new Date(), 7) },
    pairs: [{ account: "acme", permission: "realm.view_logs", until: "never" }],
  };
  const files = Object.entries(approvalFiles([{ ...whole, ...facts }]));
  for (const [path, text] of files) await project.write(path, text);
  return files[0]?.[0] ?? "";
}

/** Makes the files that a command has printed, each below its path. */
async function copyPrinted(project: CommandProject, stdout: string): Promise<void> {
  const files = [...stdout.matchAll(/^(approvals\/.*\.yaml):\n\n([^]*?)(?=\n\n|$(?![^]))/gm)];
  expect(files).not.toEqual([]);
  for (const [, path = "", text = ""] of files) await project.write(path, text);
}

const missingRow = (line: string) => new RegExp(`^ +${line.replaceAll(/[.{}]/g, "\\$&")} +missing$`, "m");

function expectRefused({ code, stdout, stderr }: Printed): void {
  expect(stderr).toContain("Error TENANCY_APPROVAL_NEEDED: 1 change needs approval");
  expect(stderr).toContain(`not approved: ${GRANTED}`);
  expect(stdout).toMatch(/^approvals\/.*\.yaml:\n\nstack: prod\nservice: http/m);
  expect(code).toBe(3);
}

test("without a terminal an apply whose line nobody has approved exits 3, writes nothing, and prints the entry that passes", async () => {
  const { project, patches } = await broadening();
  const state = join(project.folder, ".tenancy", "state.json");
  const before = await readFile(state, "utf8");
  const refused = await project.tenancy(["apply", "--auto-approve", ...BROADENING]);
  expectRefused(refused);
  expect(patches()).toBe(0);
  expect(await readFile(state, "utf8")).toBe(before);

  await copyPrinted(project, refused.stdout);
  const passed = await project.tenancy(["apply", "--yes", ...BROADENING]);
  expect(passed).toMatchObject({ code: 0 });
  expect(patches()).toBe(1);
});

test("a first apply that is not approved does not even make a state", async () => {
  const project = await start();
  await project.declare({ prod: acme("realm.view_logs") });
  expect((await project.tenancy(["apply", "--yes", ...BROADENING])).code).toBe(3);
  // The lock alone was there.
  expect(await readdir(join(project.folder, ".tenancy"))).toEqual([]);
  expect(
    project.service.requests.filter(({ path }) => path.endsWith("/account")).map(({ method }) => method),
  ).toEqual(["GET"]);
});

test("an approval of another stack or service does not help, nor does one that has ended", async () => {
  const { project } = await broadening();
  for (const facts of [
    { stack: "staging" },
    { service: "https://storage.example" },
    { until: "2020-01-01" },
  ]) {
    await approve(project, facts);
    expectRefused(await project.tenancy(["apply", "--yes", ...BROADENING]));
  }
});

test("a file that a person has written approves like any other, and a mistake in it is an error", async () => {
  const { project, patches } = await broadening();
  const before = project.service.requests.length;
  const { origin } = new URL(project.environment["TENANCY_BASE_URL"] ?? "");
  const until = dayAhead(new Date(), 7);
  const byHand = (end: string) =>
    `stack: prod\nservice: ${origin}\nuntil: ${until}\ngrants:\n  - account: acme\n    permission: realm.view_logs\n    ${end}\n`;
  await project.write("approvals/logs.yaml", byHand("util: never"));
  const { code, stderr } = await project.tenancy(["apply", "--yes", ...BROADENING]);
  expect(code).toBe(1);
  expect(stderr).toContain(
    'Error TENANCY_APPROVALS: approvals/logs.yaml, line 5: "util" is no member of a pair; write until',
  );
  expect(project.service.requests).toHaveLength(before);
  await project.write("approvals/logs.yaml", byHand("until: never"));
  expect((await project.tenancy(["apply", "--yes", ...BROADENING])).code).toBe(0);
  expect(patches()).toBe(1);
});

test("at a terminal the lines are shown once more, and --yes does not approve them", async () => {
  const { project, patches } = await broadening();
  const declined = await project.tenancy(["apply", "--yes", ...BROADENING], { answer: "no" });
  expect(declined.stderr).toMatch(missingRow(GRANTED));
  expect(declined.stderr).toContain('Approve this pair? Type "yes" to confirm: ');
  expect(declined.stderr).toContain("Nothing was done.");
  expect(declined.code).toBe(1);
  expect(patches()).toBe(0);
  expect((await project.tenancy(["apply", ...BROADENING], { answer: "yes" })).code).toBe(0);
  expect(patches()).toBe(1);
});

test("a terminal does not answer for a program that reads events: the entry stands in its diagnostic", async () => {
  const { project } = await broadening();
  const { code, stdout } = await project.tenancy(["apply", "--yes", "--json", ...BROADENING], {
    answer: "yes",
  });
  expect(code).toBe(3);
  const found = stdout.split("\n").filter((line) => line.includes("TENANCY_APPROVAL_NEEDED"));
  expect(JSON.parse(found[0] ?? "")).toMatchObject({
    diagnostic: { detail: expect.stringContaining("\n\nstack: prod\n") as string },
  });
});

test("flag, environment and project demand approval, and the strictest of them wins", async () => {
  const { project } = await broadening();
  const apply = (more: readonly string[] = [], environment = {}) =>
    project.tenancy(["apply", "--yes", ...more], { environment });
  const never = ["--require-approval", "never"];
  expect((await apply(never, { TENANCY_REQUIRE_APPROVAL: "broadening" })).code).toBe(3);
  expect((await apply(BROADENING, { TENANCY_REQUIRE_APPROVAL: "never" })).code).toBe(3);
  await project.write("cdktf.json", { app: "sh app.sh", context: { requireApproval: "broadening" } });
  expect((await apply(never, { TENANCY_REQUIRE_APPROVAL: "" })).code).toBe(3);
  await project.write("cdktf.json", { app: "sh app.sh", context: { requireApproval: "never" } });
  expect((await apply()).code).toBe(0);
});

test("a misspelt demand is an error wherever it stands, and nothing is sent", async () => {
  const { project } = await broadening();
  const before = project.service.requests.length;
  const failure = async (words: readonly string[], environment = {}) => {
    const { code, stderr } = await project.tenancy(words, { environment });
    expect(code).toBe(1);
    return stderr;
  };
  for (const verb of ["plan", "apply", "destroy"]) {
    expect(await failure([verb, "--require-approval", "brodening"])).toContain(
      'Error TENANCY_INVALID_SETTING: --require-approval is "brodening", and that is no level of approval',
    );
    expect(await failure([verb], { TENANCY_REQUIRE_APPROVAL: "all" })).toContain(
      'TENANCY_REQUIRE_APPROVAL is "all"',
    );
  }
  for (const [context, problem] of [
    [{ requireApproval: true }, "requireApproval in cdktf.json is true"],
    [{ requireApproval: "Broadening" }, 'requireApproval in cdktf.json is "Broadening"'],
    [{ "require-approval": "never" }, 'the context of cdktf.json has the member "require-approval"'],
    [{ requireAproval: "never" }, 'the context of cdktf.json has the member "requireAproval"'],
  ] as const) {
    await project.write("cdktf.json", { app: "sh app.sh", context });
    expect(await failure(["apply", "--yes"])).toContain(problem);
  }
  expect(project.service.requests).toHaveLength(before);
});

test("a plan only tells what needs approval", async () => {
  const { project } = await broadening();
  const told = await project.tenancy(["plan", ...BROADENING]);
  expect(told.code).toBe(0);
  expect(told.stdout).toMatch(missingRow(GRANTED));
  expect(told.stdout).toContain("1 to update. 1 pair is not approved yet (level: broadening).\n");
  await approve(project);
  const { code, stdout } = await project.tenancy(["plan", "--detailed-exitcode", ...BROADENING]);
  expect(code).toBe(2);
  expect(stdout).toMatch(/^ +\{ account: acme, permission: realm\.view_logs, until: never \} +approved$/m);
  expect(stdout).toContain("Every pair that needs approval is approved (level: broadening).");
  expect((await project.tenancy(["plan"])).stdout).not.toContain("Approval");
});

test("a delete passes at every level, with what ceases with an account", async () => {
  const project = await start();
  const stack = (...users: readonly string[]) => ({
    ...acme(),
    resource: {
      ...acme().resource,
      tenancy_user_profile: Object.fromEntries(
        users.map((username) => [
          username,
          {
            username,
            account_id: "${tenancy_account.acme.id}",
            permissions: {},
            access_web: false,
            access_api: false,
          },
        ]),
      ),
    },
  });
  await project.declare({ prod: stack("jane", "joe") });
  await project.tenancy(["apply", "--yes"]);
  await project.declare({ prod: stack("joe") });
  const strict = ["--require-approval", "access"];
  expect((await project.tenancy(["apply", "--yes", ...strict])).code).toBe(0);
  const all = await project.tenancy(["destroy", "--yes", "--allow-account-deletion", ...strict]);
  expect(all.code).toBe(0);
});

/** A stack with one account, for an owner of its own. */
const owned = (owner: string, name: string, ...rights: readonly string[]) => ({
  provider: { tenancy: [{ owner }] },
  resource: { tenancy_account: { one: { ...acme(...rights).resource.tenancy_account.acme, name } } },
});

test("of several stacks, the one that nobody has approved is left out, and the others go on", async () => {
  const project = await start();
  await project.declare({ loud: owned("a", "acme", "realm.view_logs"), quiet: owned("b", "globex") });
  const { code, stdout, stderr } = await project.tenancy(["apply", "*", "--yes", ...BROADENING]);
  expect(stdout).toContain("Applied: 1 created.");
  expect(stderr).toContain("  Nothing of loud was written. Add the missing file");
  expect(() => project.service.records.account("globex")).not.toThrow();
  expect(() => project.service.records.account("acme")).toThrow("no account acme");
  expect(code).toBe(3);
});

describe("a saved plan of several stacks", () => {
  /** The first stack needs no approval; both others do. */
  async function saved() {
    const project = await start();
    const names = ["a", "b", "c"];
    const declare = async (...rights: readonly string[]) =>
      project.declare(
        Object.fromEntries(names.map((name) => [name, owned(name, name, ...(name === "a" ? [] : rights))])),
      );
    await declare();
    expect((await project.tenancy(["apply", "b", "c", "--yes"])).code).toBe(0);
    await declare("realm.view_logs");
    expect((await project.tenancy(["plan", "*", "--out", "plans"])).code).toBe(0);
    const begun = project.service.requests.length;
    const written = () =>
      project.service.requests
        .slice(begun)
        .filter(({ method, path }) => method !== "GET" && !path.endsWith("/oauth2/token"))
        .map(({ method }) => method);
    return { project, written };
  }

  test("is written only once all of it is approved, and passes with the entries that were printed", async () => {
    const { project, written } = await saved();
    const { code, stdout, stderr } = await project.tenancy(["apply", "plans", ...BROADENING]);
    expect(code).toBe(3);
    expect(stderr).toContain(
      [
        "Error TENANCY_APPROVAL_NEEDED: 2 changes need approval",
        "  not approved: b: { account: b, permission: realm.view_logs, until: never }",
        "  not approved: c: { account: c, permission: realm.view_logs, until: never }",
        "  Nothing was written. Add the missing file to approvals/. Run `tenancy approve plans`, and commit the new file.",
      ].join("\n"),
    );
    expect(written()).toEqual([]);
    await copyPrinted(project, stdout);
    expect((await project.tenancy(["apply", "plans", ...BROADENING])).code).toBe(0);
    expect(written()).toEqual(["POST", "PATCH", "PATCH"]);
  });

  test("is asked about once at a terminal, before anything is written", async () => {
    const { project, written } = await saved();
    const declined = await project.tenancy(["apply", "plans", ...BROADENING], { answer: "no" });
    expect(declined.stderr).toContain("Approve these 2 pairs?");
    expect(declined.stderr).toContain("Nothing was done.");
    expect(declined.code).toBe(1);
    expect(written()).toEqual([]);
    const approved = await project.tenancy(["apply", "plans", ...BROADENING], { answer: "yes" });
    expect(approved.stderr.match(/Approve th/g)).toHaveLength(1);
    expect(approved.code).toBe(0);
    expect(written()).toEqual(["POST", "PATCH", "PATCH"]);
  });
});

describe("tenancy approve", () => {
  const planned = async () => {
    const { project, patches } = await broadening();
    await project.tenancy(["plan", "--out", "prod.plan"]);
    return { project, patches };
  };

  test("writes the entry with which the saved plan passes, into a file of its own", async () => {
    const { project, patches } = await planned();
    const refused = await project.tenancy(["apply", "prod.plan", ...BROADENING]);
    expectRefused(refused);
    const other = (await approve(project, { stack: "staging" })).replace("approvals/", "");
    const { code, stdout, stderr } = await project.tenancy(["approve", "prod.plan", "--yes"]);
    expect(stdout).toContain(`  - ${GRANTED}\n`);
    expect(code).toBe(0);
    const listed = await readdir(join(project.folder, "approvals"));
    const [name = "", ...more] = listed.filter((one) => one !== other);
    expect(more).toEqual([]);
    expect(stderr).toContain(`Written: approvals/${name}. Commit it`);
    expect(name.startsWith(dayAhead(new Date(), 7))).toBe(true);
    const passed = await project.tenancy(["apply", "prod.plan", ...BROADENING]);
    expect(passed.code).toBe(0);
    expect(patches()).toBe(1);
    // Nothing is missing any more.
    expect((await project.tenancy(["approve", "prod.plan", "--yes"])).code).toBe(0);
    expect(await readdir(join(project.folder, "approvals"))).toEqual(listed);
  });

  test("asks at a terminal, and needs --yes elsewhere", async () => {
    const { project } = await planned();
    const nobody = await project.tenancy(["approve", "prod.plan"]);
    expect(nobody.code).toBe(1);
    expect(nobody.stderr).toContain("TENANCY_CONFIRMATION_NEEDED");
    const declined = await project.tenancy(["approve", "prod.plan"], { answer: "no" });
    expect(declined).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Nothing was written.") as string,
    });
    await expect(stat(join(project.folder, "approvals"))).rejects.toThrow("ENOENT");
    expect((await project.tenancy(["approve", "prod.plan"], { answer: "yes" })).code).toBe(0);
  });

  test("takes a day at most 30 days ahead", async () => {
    const { project } = await planned();
    for (const day of [dayAhead(new Date(), 31), dayAhead(new Date(), -1), "soon"]) {
      const { code, stderr } = await project.tenancy(["approve", "prod.plan", "--yes", "--until", day]);
      expect(code).toBe(1);
      expect(stderr).toContain("Error TENANCY_USAGE: --until is ");
    }
    const last = dayAhead(new Date(), 30);
    expect((await project.tenancy(["approve", "prod.plan", "--yes", "--until", last])).code).toBe(0);
    expect((await readdir(join(project.folder, "approvals")))[0]).toMatch(new RegExp(`^${last}-`));
  });

  test("takes a plan alone", async () => {
    const { project } = await planned();
    await project.write("other.json", { tenancy: { stack: "prod" } });
    expect((await project.tenancy(["approve", "other.json", "--yes"])).stderr).toContain(
      "TENANCY_BROKEN_PLAN",
    );
    expect((await project.tenancy(["approve", "none.json", "--yes"])).stderr).toContain(
      "there is no such file",
    );
    expect((await project.tenancy(["approve", "none", "--yes"])).stderr).toContain("there is no such file");
  });
});

test("the files of the documents are approvals", async () => {
  const guide = await readFile(join(__dirname, "../../docs/manual/how-to/require-approvals.md"), "utf8");
  const files = [...guide.matchAll(/```yaml\n( *)((?:#.*\n)?stack: [^]*?)```/g)].map(
    ([, indent = "", text = ""]) => text.replaceAll(`\n${indent}`, "\n").trimStart(),
  );
  expect(files.length).toBeGreaterThan(1);
  for (const [index, text] of files.entries())
    expect(readApprovals({ [`${index}.yaml`]: text }, new Date("2026-12-01T00:00:00.000Z"))).toMatchObject([
      { stack: "production" },
    ]);
});

// The folder.

test("only regular files of the folder count: a link, a folder and any other file are errors, and so is a link for the folder", async () => {
  const { project, patches } = await broadening();
  const path = await approve(project);
  const folder = join(project.folder, "approvals");
  const failure = async () => {
    const { code, stderr } = await project.tenancy(["apply", "--yes", ...BROADENING]);
    expect(code).toBe(1);
    return stderr;
  };
  const stray = async (name: string, make: (place: string) => Promise<unknown>, problem: string) => {
    await make(join(folder, name));
    expect(await failure()).toContain(`Error TENANCY_APPROVALS: approvals/${name}: ${problem}`);
    await rm(join(folder, name), { recursive: true });
  };
  await stray("README.md", async (place) => writeFile(place, "Approved."), "no approval has such a name");
  await stray("more", async (place) => mkdir(place), "this is not a regular file");
  const link = `${dayAhead(new Date(), 7)}-00000000.yaml`;
  await stray(
    link,
    async (place) => symlink(join(project.folder, path), place),
    "this is not a regular file",
  );
  await stray(link, async (place) => writeFile(place, Buffer.from([0xff])), "the file is not UTF-8");

  await rm(folder, { recursive: true });
  await approve(project);
  await project.write("elsewhere/README.md", "");
  await rm(folder, { recursive: true });
  await symlink(join(project.folder, "elsewhere"), folder);
  expect(await failure()).toContain("Error TENANCY_APPROVALS: approvals: this is not a folder");
  expect(patches()).toBe(0);
});

test("two entries that were written at the same time are two files, and add up", async () => {
  const project = await start();
  await project.declare({ prod: acme() });
  await project.tenancy(["apply", "--yes"]);
  for (const right of ["realm.view_logs", "realm.run_tests"]) {
    await project.declare({ prod: acme(right) });
    await project.tenancy(["plan", "--out", "prod.plan"]);
    expect((await project.tenancy(["approve", "prod.plan", "--yes"])).code).toBe(0);
  }
  expect(await readdir(join(project.folder, "approvals"))).toHaveLength(2);
  await project.declare({ prod: acme("realm.view_logs", "realm.run_tests") });
  const { code, stdout } = await project.tenancy(["plan", "--detailed-exitcode", ...BROADENING]);
  expect(stdout).toMatch(/permissions: \[realm\.view_logs, realm\.run_tests\], until: never \} +approved$/m);
  expect(code).toBe(2);
});

test("with --detailed-exitcode, plan tells a missing approval by exit code 3, and a change that has its approvals by 2", async () => {
  const { project } = await broadening();
  const words = ["plan", "--detailed-exitcode", ...BROADENING];
  expect((await project.tenancy(words)).code).toBe(3);
  expect((await project.tenancy(["plan", ...BROADENING])).code).toBe(0);
  await approve(project);
  expect((await project.tenancy(words)).code).toBe(2);
});

test("an apply that failed in part goes on with the entry that covered all of it; the entry covers no more than its pairs", async () => {
  const project = await start();
  const granting = (names: readonly string[], ...rights: readonly string[]) => ({
    provider: { tenancy: [{}] },
    resource: {
      tenancy_account: Object.fromEntries(
        names.map((name) => [
          name,
          {
            name,
            permissions: Object.fromEntries(rights.map((right) => [right, true])),
            access_web: false,
            access_api: false,
          },
        ]),
      ),
    },
  });
  const both = ["acme", "globex"];
  await project.declare({ prod: granting(both) });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  await project.declare({ prod: granting(both, "account.view_events", "vss.format_disks") });
  await approve(project, {
    pairs: both.flatMap((account) => [
      { account, permission: "vss.format_disks", until: "never" },
      { account, permission: "account.view_events", until: "never" },
    ]),
  });
  project.service.fail({ method: "PATCH", status: 403 });
  const failed = await project.tenancy(["apply", "--yes", ...BROADENING]);
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stdout).toContain("Not all was applied: 1 updated, 1 failed.");
  const goneOn = await project.tenancy(["apply", "--yes", ...BROADENING]);
  expect(goneOn).toMatchObject({ code: 0 });

  await project.declare({
    prod: granting(both, "account.view_events", "vss.format_disks", "account.view_statistics"),
  });
  const more = await project.tenancy(["apply", "--yes", ...BROADENING]);
  expect(more).toMatchObject({ code: 3 });
  expect(more.stdout).toContain("  - { account: acme, permission: account.view_statistics, until: never }\n");
  expect(more.stdout).not.toContain("permission: vss.format_disks");
});
