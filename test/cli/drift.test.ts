/** `tenancy drift`: covers src/cli/verbs/drift.ts, and what is shown of drift. Also covers src/render/json/drift.ts. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accounts, commandProjects } from "../support/command";
import { stateKey } from "../support/state-key";

const start = commandProjects();

const declared = async (...names: readonly string[]) => {
  const project = await start();
  await project.declare({ prod: accounts(...names) });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  return project;
};

test("exits with 0 where live, declared and last applied agree", async () => {
  const project = await declared("acme");
  const { code, stdout } = await project.tenancy(["drift"]);
  expect(stdout).toContain("No drift. What is live, declared and last applied agrees.");
  expect(code).toBe(0);
});

test("exits with 2 where somebody changed something outside, and says what, from what to what", async () => {
  const project = await declared("acme");
  project.service.records.patchProfile("acme", {
    level: 7,
    permissions: { realm: { rights: { manage_accounts: true } } },
  });
  const { code, stdout } = await project.tenancy(["drift"]);
  expect(code).toBe(2);
  expect(stdout.replace(/^.*\n/, "")).toMatchInlineSnapshot(`
   "
   Undeclared privileges
     ~ tenancy_account.acme                  acme
         level                               10 -> 7
         permissions.realm.manage_accounts   false -> true (destructive, privileged)

   1 with privileges that are not accepted. To accept a privilege: tenancy drift prod --accept acme.level
   "
  `);
});

test("exits with 3 where only the declaration has changed", async () => {
  const project = await declared("acme");
  await project.declare({ prod: accounts("acme", "globex") });
  const { code, stdout } = await project.tenancy(["drift"]);
  expect(code).toBe(3);
  expect(stdout).toContain("1 declared and not applied yet.");
});

test("exits with 1 on an error, whatever else has drifted", async () => {
  const project = await declared("acme");
  project.service.records.patchProfile("acme", { level: 7 });
  await project.declare({
    prod: accounts("acme"),
    broken: { ...accounts("x"), provider: { tenancy: [{ base_url: "ftp://x" }] } },
  });
  const { code } = await project.tenancy(["drift", "prod", "broken"]);
  expect(code).toBe(1);
});

test("of several stacks, a change outside in one of them counts", async () => {
  const project = await start();
  const other = accounts("globex");
  const stacks = {
    prod: accounts("acme"),
    staging: { ...other, provider: { tenancy: [{ owner: "staging" }] } },
  };
  await project.declare(stacks);
  expect((await project.tenancy(["apply", "*", "--yes"])).code).toBe(0);
  project.service.records.patchProfile("globex", { level: 7 });
  await project.declare({ ...stacks, prod: accounts("acme", "new") });
  expect((await project.tenancy(["drift", "*"])).code).toBe(2);
  expect((await project.tenancy(["drift", "prod"])).code).toBe(3);
});

test("--json prints a row for each difference, and Terraform's resource_drift", async () => {
  const project = await declared("acme");
  project.service.records.patchProfile("acme", { level: 7 });
  const { stdout } = await project.tenancy(["drift", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    format_version: "1.0",
    stack: "prod",
    status: "outside",
    drift: [
      {
        address: "tenancy_account.acme",
        mode: "managed",
        type: "tenancy_account",
        name: "acme",
        kind: "privilege",
        key: "acme",
        attribute: "level",
        path: ["level"],
        from: 10,
        from_known: true,
        to: 7,
        to_known: true,
        sensitive: false,
        undone: false,
      },
    ],
    resource_drift: [
      {
        address: "tenancy_account.acme",
        change: { actions: ["update"], before: { level: 10 }, after: { level: 7 } },
      },
    ],
    ignored: [],
  });
});

test("--ignore keeps a difference quiet and lists it", async () => {
  const project = await declared("acme");
  project.service.records.patchProfile("acme", { level: 7 });
  const { code, stdout } = await project.tenancy(["drift", "--ignore", "tenancy_account.acme.level"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Ignored\n.*tenancy_account\.acme/);
  const { stderr, stdout: again } = await project.tenancy(["drift", "--ignore", "acme", "--ignore", "acne"]);
  expect(stderr + again).toContain('--ignore "acne" matches nothing');
});

test("drift.ignore in cdktf.json leaves differences out for each run, and each of its patterns needs a reason", async () => {
  const project = await declared("acme");
  project.service.records.createProfile("acme", { username: "eve" });
  const seen = await project.tenancy(["drift"]);
  expect(seen.stdout).toContain("1 unmanaged.");
  expect(seen.code).toBe(2);

  const file = join(project.folder, "cdktf.json");
  const config = JSON.parse(await readFile(file, "utf8")) as object;
  const withPatterns = (patterns: unknown) =>
    writeFile(file, JSON.stringify({ ...config, context: { "drift.ignore": patterns } }));
  await withPatterns({ "eve@acme": "account for emergencies" });
  const { code, stdout } = await project.tenancy(["drift"]);
  expect(stdout).toMatch(/Ignored\n.*eve@acme.*ignored: account for emergencies/);
  expect(code).toBe(0);

  for (const patterns of [{ "eve@acme": " " }, ["eve@acme"], "eve@acme"]) {
    await withPatterns(patterns);
    const refused = await project.tenancy(["drift"]);
    expect(refused.stderr).toContain("drift.ignore");
    expect(refused.code).toBe(1);
  }
});

test("--markdown writes the same for a comment or an issue", async () => {
  const project = await declared("acme");
  project.service.records.patchProfile("acme", { level: 7 });
  const { code, stdout } = await project.tenancy(["drift", "--markdown", "-"]);
  expect(code).toBe(2);
  expect(stdout).toMatch(/^<!-- tenancy:.* -->\n### `prod`/);
  expect(stdout).toContain("#### Undeclared privileges");
  expect(stdout).toContain("`level`");
});

test("--html writes the same as a page", async () => {
  const project = await declared("acme");
  project.service.records.patchProfile("acme", { level: 7 });
  const { code, stdout } = await project.tenancy(["drift", "--html", "-"]);
  expect(code).toBe(2);
  expect(stdout).toMatch(/^<!doctype html>\n[^]*Undeclared privileges[^]*tenancy_account\.acme[^]*level/);
});

test("--metrics writes a file that a collector never reads by half, and leaves it as it was after an error", async () => {
  const project = await declared("acme");
  project.service.records.patchProfile("acme", { level: 7 });
  const file = join(project.folder, "tenancy.prom");
  await writeFile(file, "old\n", { mode: 0o600 });
  const { ino } = await stat(file);
  expect((await project.tenancy(["drift", "--metrics", "tenancy.prom"])).code).toBe(2);
  const text = await readFile(file, "utf8");
  expect(text).toContain('tenancy_drift_objects{stack="prod",kind="privilege"} 1\n');
  expect((await stat(file)).ino).not.toBe(ino);
  expect((await stat(file)).mode & 0o777).toBe(0o644);
  expect((await readdir(project.folder)).filter((name) => name.startsWith(".tenancy.prom"))).toEqual([]);
  await project.declare({ prod: { ...accounts("acme"), provider: { tenancy: [{ base_url: "ftp://x" }] } } });
  expect((await project.tenancy(["drift", "--metrics", "tenancy.prom"])).code).toBe(1);
  expect(await readFile(file, "utf8")).toBe(text);
});

test("--metrics into a folder that does not exist is an error", async () => {
  const project = await declared("acme");
  const { code, stderr } = await project.tenancy(["drift", "--metrics", "no/tenancy.prom"]);
  expect(code).toBe(1);
  expect(stderr).toContain("TENANCY_FILE_UNUSABLE");
});

test("a plan in JSON tells what somebody changed outside, as far as the state remembers", async () => {
  const project = await declared("acme");
  project.service.records.patchProfile("acme", { level: 7 });
  const planned = async () => JSON.parse((await project.tenancy(["plan", "--json"])).stdout) as object;
  expect(await planned()).toMatchObject({
    resource_drift: [
      {
        address: "tenancy_account.acme",
        change: { actions: ["update"], before: { level: 10 }, after: { level: 7 } },
      },
    ],
  });
  const applied = await project.tenancy(["apply", "--yes", "--json"]);
  expect(applied.stdout).toContain('"type":"resource_drift"');
  // An apply accepts no privilege.
  expect(await planned()).toMatchObject({ resource_drift: [{ address: "tenancy_account.acme" }] });
  project.service.records.patchProfile("acme", { level: 10 });
  expect(await planned()).toMatchObject({ resource_drift: [] });
  project.service.records.deleteAccount("acme");
  expect(await planned()).toMatchObject({
    resource_drift: [{ address: "tenancy_account.acme", change: { actions: ["delete"], after: null } }],
  });
  await rm(join(project.folder, ".tenancy"), { recursive: true });
  expect(await planned()).toMatchObject({ resource_drift: [] });
});

describe("--accept", () => {
  const raised = async () => {
    const project = await declared("acme");
    project.service.records.patchProfile("acme", { level: 70 });
    return project;
  };

  test("accepts a privilege that nobody declares, then looks for drift", async () => {
    const project = await raised();
    const { stdout: before } = await project.tenancy(["drift"]);
    const [, command = ""] = /To accept a privilege: tenancy (.*)/.exec(before) ?? [];
    const { code, stdout, stderr } = await project.tenancy(command.split(" "));
    expect(stderr).toContain("Accepted: acme.level.");
    expect(stdout).toContain("No drift.");
    expect(code).toBe(0);
  });

  test("needs the line of an approval where one is required, which the error prints", async () => {
    const project = await raised();
    const words = ["drift", "--accept", "acme.level", "--require-approval", "broadening"];
    const refused = await project.tenancy(words);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("not approved: { account: acme, level: 70, until: never }");
    const [, path = "", text = ""] = /(approvals\/\S+\.yaml):\n\n([^]*)$/.exec(refused.stdout) ?? [];
    await mkdir(join(project.folder, "approvals"));
    await writeFile(join(project.folder, path), `${text.trimEnd()}\n`);
    expect(await project.tenancy(words)).toMatchObject({ code: 0 });
  });

  test("a mistyped name accepts nothing", async () => {
    const project = await raised();
    const { code, stderr } = await project.tenancy(["drift", "--accept", "acme.levle"]);
    expect(code).toBe(1);
    expect(stderr).toContain("TENANCY_UNKNOWN_NAME");
    expect(stderr).toContain("acme.level");
  });

  test("is for one stack", async () => {
    const project = await raised();
    await project.declare({ prod: accounts("acme"), staging: accounts("globex") });
    const { code, stderr } = await project.tenancy(["drift", "*", "--accept", "acme.level"]);
    expect(code).toBe(1);
    expect(stderr).toContain("--accept is for one stack");
  });

  test("needs the key of a state that is encrypted", async () => {
    const project = await start();
    const key = { environment: { TENANCY_STATE_KEY: stateKey("a key of the team, long enough") } };
    await project.declare({ prod: accounts("acme") });
    expect((await project.tenancy(["apply", "--yes"], key)).code).toBe(0);
    project.service.records.patchProfile("acme", { level: 70 });
    const { code, stderr } = await project.tenancy(["drift", "--accept", "acme.level"]);
    expect(code).toBe(1);
    expect(stderr).toContain("TENANCY_STATE_KEY");
    expect((await project.tenancy(["drift", "--accept", "acme.level"], key)).code).toBe(0);
  });
});
