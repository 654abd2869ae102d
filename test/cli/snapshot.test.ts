/**
 * `tenancy snapshot` and `--from-snapshot`: covers src/cli/verbs/snapshot.ts, and what the command says of plans that ask nobody. Also covers
 * src/cli/project/project.ts and src/cli/verbs/simulator.ts.
 */
import { createHash } from "node:crypto";
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accounts, CommandProject, commandProjects } from "../support/command";
import { stateKey } from "../support/state-key";

const start = commandProjects();

type Project = Awaited<ReturnType<typeof start>>;

const NOTHING = { TENANCY_USERNAME: "", TENANCY_PASSWORD: "", TENANCY_TOKEN: "" };

/** A project with one account, and a snapshot of it. */
async function taken(environment: Readonly<Record<string, string>> = {}): Promise<Project> {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  expect((await project.tenancy(["apply", "--yes"])).code).toBe(0);
  expect(await project.tenancy(["snapshot", "--out", "live.json"], { environment })).toMatchObject({
    code: 0,
  });
  return project;
}

/** As it runs beside a pull request: with no credential at all. */
function planned(project: CommandProject, words: readonly string[] = [], environment = {}) {
  return project.tenancy(["plan", "--from-snapshot", "live.json", ...words], {
    environment: { ...NOTHING, ...environment },
  });
}

type Document = Record<string, unknown> & { services: Record<string, unknown>[] };

async function read(project: CommandProject): Promise<Document> {
  return JSON.parse(await readFile(join(project.folder, "live.json"), "utf8")) as Document;
}

/** A snapshot as if it had been written so. */
async function rewrite(project: CommandProject, change: (document: Document) => void): Promise<void> {
  const { checksum: _, ...document } = await read(project);
  change(document);
  const checksum = `sha256:${createHash("sha256").update(JSON.stringify(document)).digest("hex")}`;
  await project.write("live.json", { ...document, checksum });
}

test("a snapshot is a file for its owner alone, and a plan from it asks nobody", async () => {
  const project = await taken();
  expect((await stat(join(project.folder, "live.json"))).mode & 0o777).toBe(0o600);
  expect((await readdir(project.folder)).filter((name) => name.startsWith("live.json"))).toEqual([
    "live.json",
  ]);
  await project.declare({ prod: accounts("acme", "globex") });
  const sent = project.service.requests.length;
  const { code, stdout } = await planned(project);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^prod · http:\/\/127\.0\.0\.1:\d+ as system\nFrom a snapshot that is \d+ seconds? old \(.*\); no request was sent\. It cannot be applied\.\n/,
  );
  expect(stdout).toMatch(/\n1 to create\.\n$/);
  expect(project.service.requests).toHaveLength(sent);
});

test("taking one sends nothing but GET and log-in, and changes no state", async () => {
  const project = await taken();
  const state = join(project.folder, ".tenancy", "state.json");
  const before = await readFile(state, "utf8").catch(() => "none");
  project.service.clearRequests();
  expect((await project.tenancy(["snapshot", "--out", "live.json", "--usage"])).code).toBe(0);
  expect(project.service.requests.filter(({ method }) => method !== "GET").map(({ path }) => path)).toEqual([
    "/api/oauth2/token",
  ]);
  expect(await readFile(state, "utf8").catch(() => "none")).toBe(before);
});

test("what it says of who took it, and of whose each record is", async () => {
  const project = await taken();
  const { format, version, services } = await read(project);
  expect({ format, version }).toEqual({ format: "tenancy-snapshot", version: 3 });
  expect(services).toMatchObject([
    {
      origin: project.service.baseUrl,
      caller: {
        name: "system",
        username: "system",
        rights: expect.arrayContaining(["realm.manage_accounts"]) as string[],
      },
      managed: [{ stack: "prod", provider: "tenancy", ids: [project.service.records.account("acme").id] }],
      usage: null,
    },
  ]);
});

test("neither a credential nor a state is looked at", async () => {
  const project = await taken();
  // A folder is no state, a key of three letters is none, and a helper that was started would leave a file.
  await mkdir(join(project.folder, "state"));
  const broken = {
    TENANCY_TOTP_SECRET: "!",
    TENANCY_CA_FILE: "nowhere",
    TENANCY_STATE_KEY: "short",
  };
  expect(await planned(project, ["--state", "state"], broken)).toMatchObject({ code: 0 });
  const helper = join(project.folder, "helper.sh");
  await writeFile(helper, `#!/bin/sh\ntouch ${join(project.folder, "started")}\n`, { mode: 0o755 });
  expect(await planned(project, ["--credential-helper", helper], broken)).toMatchObject({ code: 0 });
  await expect(stat(join(project.folder, "started"))).rejects.toThrow();
});

test("a device that a snapshot is written to stays one, and a link leads to the new snapshot", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const at = (name: string) => join(project.folder, name);
  await Promise.all([symlink("/dev/null", at("device")), symlink("live.json", at("link"))]);
  await writeFile(at("live.json"), "the last one");
  for (const out of ["device", "link"])
    expect(await project.tenancy(["snapshot", "--out", out])).toMatchObject({ code: 0 });
  for (const name of ["device", "link"]) expect((await lstat(at(name))).isSymbolicLink()).toBe(true);
  expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
  expect(await read(project)).toHaveProperty("checksum");
});

test("a sensitive variable without a value is unknown, any other one is still missed", async () => {
  const project = await start();
  const declared = (type: object) => ({
    prod: {
      ...accounts("acme"),
      variable: { password: { type: "string", ...type } },
      resource: {
        tenancy_account: { acme: { name: "acme", password_wo: "${var.password}", password_wo_version: 1 } },
      },
    },
  });
  await project.declare(declared({ sensitive: true, ephemeral: true }));
  const secret = { TF_VAR_password: "correct horse" };
  expect((await project.tenancy(["apply", "--yes"], { environment: secret })).code).toBe(0);
  expect((await project.tenancy(["snapshot", "--out", "live.json"])).code).toBe(0);
  expect(await planned(project, ["--detailed-exitcode"])).toMatchObject({ code: 0 });
  expect(await readFile(join(project.folder, "live.json"), "utf8")).not.toContain("correct horse");
  await project.declare(declared({}));
  expect((await planned(project)).stderr).toContain('the variable "password" has no value');
});

test("credentials in the provider's own configuration may be unknown too", async () => {
  const project = await start();
  const stack = {
    ...accounts("acme"),
    variable: { password: { type: "string", sensitive: true } },
    provider: { tenancy: [{ username: "system", password: "${var.password}" }] },
  };
  await project.declare({ prod: stack });
  const environment = { TF_VAR_password: "system" };
  expect((await project.tenancy(["snapshot", "--out", "live.json"], { environment })).code).toBe(0);
  expect((await planned(project)).stdout).toContain("1 to create.");
});

test("the synthesized stacks and variable files are enough: there is no project, and nothing is run", async () => {
  const project = await taken();
  expect((await project.tenancy(["synth"])).code).toBe(0);
  const folder = await mkdtemp(join(tmpdir(), "tenancy-"));
  try {
    await cp(join(project.folder, "cdktf.out"), join(folder, "cdktf.out"), { recursive: true });
    await cp(join(project.folder, "live.json"), join(folder, "live.json"));
    const { TENANCY_BASE_URL, TENANCY_OWNER } = project.environment;
    const bare = new CommandProject(folder, {
      TENANCY_BASE_URL: TENANCY_BASE_URL!,
      TENANCY_OWNER: TENANCY_OWNER!,
    });
    expect(await planned(bare, ["--skip-synth"])).toMatchObject({ code: 0 });
    expect((await planned(bare)).stderr).toContain("there is no cdktf.json");
    expect((await readdir(folder)).sort()).toEqual(["cdktf.out", "live.json"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("without a project it is of the service that the environment names, whoever manages what", async () => {
  const project = await start();
  project.service.records.createAccount({ name: "acme" });
  expect(await project.tenancy(["snapshot", "--out", "live.json"])).toMatchObject({ code: 0 });
  expect((await read(project)).services).toMatchObject([{ origin: project.service.baseUrl, managed: [] }]);
});

describe("a snapshot is not used", () => {
  test.each<[string, (text: string) => string, RegExp]>([
    ["that is empty", () => "", /it is empty/],
    ["that was cut off", (text) => text.slice(0, text.length / 2), /it is not JSON, or was cut off/],
    ["that is something else", () => '{"format":"tenancy-state"}', /it is no snapshot of Tenancy/],
    ["of another version", (text) => text.replace('"version": 3', '"version": 2'), /has the version 2/],
    ["in which a right was changed", (text) => text.replace("true", "false"), /it was altered/],
    [
      "whose checksum was taken out",
      (text) => text.replace(/"checksum": "[^"]*"/, '"checksum": ""'),
      /it was altered/,
    ],
    [
      "to which a member was added",
      (text) => text.replace('"services"', '"more": 1,\n "services"'),
      /it was altered/,
    ],
  ])("%s", async (_what, alter, says) => {
    const project = await taken();
    const path = join(project.folder, "live.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, alter(text));
    const { code, stdout, stderr } = await planned(project);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("TENANCY_SNAPSHOT_UNFIT");
    expect(stderr).toMatch(says);
  });

  test("that is whole, and in which what is expected is missing", async () => {
    const project = await taken();
    await rewrite(project, ({ services: [service] }) => void delete service!["managed"]);
    expect((await planned(project)).stderr).toContain("services[0].managed is not a list");
  });

  test("that is not there", async () => {
    const project = await start();
    await project.declare({ prod: accounts("acme") });
    expect((await planned(project)).stderr).toContain("there is no such file");
  });

  test("that is older than 48 hours, or than --max-age says, or that comes from the future", async () => {
    const project = await taken();
    const at = async (hours: number) =>
      rewrite(project, (document) => {
        document["taken_at"] = new Date(Date.now() - hours * 3_600_000).toISOString();
      });
    await at(47);
    const young = await planned(project);
    expect(young.stdout).toContain("From a snapshot that is 47 hours old");
    expect((await planned(project, ["--max-age", "30m"])).stderr).toMatch(
      /47 hours old .*and may be 30 minutes old/,
    );
    await at(49);
    expect((await planned(project)).stderr).toMatch(/TENANCY_SNAPSHOT_UNFIT: .* old/);
    expect(await planned(project, ["--max-age", "3d"])).toMatchObject({ code: 0 });
    await at(-1);
    expect((await planned(project)).stderr).toContain("which is later than now");
    expect((await planned(project, ["--max-age", "soon"])).stderr).toContain("--max-age soon is no duration");
  });

  test("for a service that it does not hold: nothing is taken for empty", async () => {
    const project = await taken();
    const { stderr, stdout } = await planned(project, [], { TENANCY_BASE_URL: "https://other.example" });
    expect(stdout).toBe("");
    expect(stderr).toContain("TENANCY_SNAPSHOT_UNFIT");
    expect(stderr).toContain("does not hold the service https://other.example; it holds http://127.0.0.1");
  });

  test("for a stack that it does not know", async () => {
    const project = await taken();
    await project.declare({ evil: accounts("acme") });
    expect((await planned(project)).stderr).toContain('does not know the objects of the stack "evil"');
  });
});

describe("with TENANCY_SNAPSHOT_KEY", () => {
  const environment = { TENANCY_SNAPSHOT_KEY: stateKey("correct horse battery staple") };

  test("it is encrypted, and read with that key alone", async () => {
    const project = await taken(environment);
    const text = await readFile(join(project.folder, "live.json"), "utf8");
    expect(text).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/);
    expect(text).not.toMatch(/acme|system|accounts/);
    expect(await planned(project, [], environment)).toMatchObject({ code: 0 });
    expect((await planned(project)).stderr).toMatch(
      /TENANCY_SNAPSHOT_KEY\b[\s\S]*is encrypted, and there is no key/,
    );
    const other = { TENANCY_SNAPSHOT_KEY: stateKey("another horse battery staple") };
    expect((await planned(project, [], other)).stderr).toContain(
      "was encrypted with another key, or was altered",
    );
    await writeFile(join(project.folder, "live.json"), text.replace(/\n\w+/, "\n"));
    expect((await planned(project, [], environment)).stderr).toContain("its armor is not whole");
  });

  test("a plain one is refused, since anybody could have written it", async () => {
    const project = await taken();
    expect((await planned(project, [], environment)).stderr).toContain("is not encrypted");
  });

  test("a key that Tenancy did not make is refused before anything is sent", async () => {
    const project = await start();
    await project.declare({ prod: accounts("acme") });
    const { stderr } = await project.tenancy(["snapshot", "--out", "live.json"], {
      environment: { TENANCY_SNAPSHOT_KEY: "short" },
    });
    expect(stderr).toContain("not one that Tenancy made");
    expect(project.service.requests).toEqual([]);
  });
});

describe("a plan from a snapshot", () => {
  test.each([["apply"], ["destroy"]])("cannot be made by %s, which says why", async (verb) => {
    const project = await taken();
    const sent = project.service.requests.length;
    for (const words of [["--from-snapshot", "live.json"], ["--from-snapshot"]]) {
      const { code, stderr } = await project.tenancy([verb, "--yes", ...words]);
      expect(code).toBe(1);
      expect(stderr).toContain(`\`tenancy ${verb}\` has no --from-snapshot: an apply needs the live records`);
    }
    expect(project.service.requests).toHaveLength(sent);
  });

  test("can be saved, is marked, and is refused by apply", async () => {
    const project = await taken();
    await project.declare({ prod: accounts("acme", "globex") });
    const { stderr } = await planned(project, ["--out", "plan.json"]);
    expect(stderr).toContain("It was made from a snapshot, and cannot be applied.");
    const saved = JSON.parse(await readFile(join(project.folder, "plan.json"), "utf8")) as object;
    expect(saved).toMatchObject({
      applyable: false,
      resource_changes: [{}, { address: "tenancy_account.globex" }],
      tenancy: { taken_at: expect.stringMatching(/^\d{4}-/) as string },
    });
    const sent = project.service.requests.length;
    const applied = await project.tenancy(["apply", "plan.json"]);
    expect(applied.code).toBe(1);
    expect(applied.stderr).toContain("TENANCY_PLANNED_FROM_SNAPSHOT");
    expect(project.service.requests).toHaveLength(sent);
  });

  test("cannot be made with --verify-tokens, and --max-age needs --from-snapshot", async () => {
    const project = await taken();
    expect((await planned(project, ["--verify-tokens"])).stderr).toContain("--from-snapshot sends none");
    expect((await project.tenancy(["plan", "--max-age", "1h"])).stderr).toContain("Add --from-snapshot FILE");
  });
});

test("a file that cannot be written says so, and leaves nothing behind", async () => {
  const project = await start();
  await project.declare({ prod: accounts("acme") });
  const { code, stderr } = await project.tenancy(["snapshot", "--out", "nowhere/live.json"]);
  expect(code).toBe(1);
  expect(stderr).toContain("nowhere/live.json: its folder does not exist");
});

test("the simulator takes only what a snapshot holds", async () => {
  const project = await taken();
  await rewrite(
    project,
    (document) => void document.services.push({ ...document.services[0], origin: "https://b.example" }),
  );
  const elsewhere = { environment: { TENANCY_BASE_URL: "https://c.example" } };
  expect((await project.tenancy(["simulator", "--from-snapshot", "live.json"], elsewhere)).stderr).toContain(
    "Say with TENANCY_BASE_URL which of them to simulate.",
  );
});
