/** `tenancy export` as a person runs it; covers src/cli/verbs/export.ts. */
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ALL_RIGHTS } from "../../src/service";
import { formatted } from "../support/exported-code";
import { accounts, type CommandProject, commandProjects } from "../support/command";

const start = commandProjects();

type Project = Awaited<ReturnType<typeof start>>;

type Groups = Record<string, { rights: Record<string, boolean> }>;

/** Permissions of a request body. */
function rights(...granted: readonly string[]): Groups {
  const groups: Groups = {};
  for (const right of ALL_RIGHTS) {
    const [group = "", name = ""] = right.split(".");
    (groups[group] ??= { rights: {} }).rights[name] = granted.includes(right);
  }
  return groups;
}

function scoped(groups: Groups, vsses: readonly string[]): object {
  return { ...groups, vss: { ...groups["vss"], all_account_scope: false, vsses } };
}

async function startWithAcme() {
  const project = await start();
  const { records: backDoor } = project.service;
  backDoor.createAccount({
    name: "acme",
    password: "secret",
    permissions: rights(),
    limits: { vss_num: 20 },
    primary_contact: { first_name: "Ann", last_name: "Lee" },
  });
  backDoor.createProfile("acme", {
    username: "jane",
    password: "secret",
    email: "jane@acme.example",
    sms: "+49 151 4567",
    permissions: rights(
      "account.view_events",
      "account.view_statistics",
      "account.query_catalog",
      "vss.update_vss",
    ),
  });
  backDoor.createProfile("acme", {
    username: "csi",
    permissions: scoped(rights("vss.manage_snapshots"), ["virtual-storage-service:1:7"]),
  });
  return project;
}

async function textIn(project: CommandProject, path: string): Promise<string> {
  return readFile(join(project.folder, path), "utf8");
}

test("a folder gets a file for each tenant, and an index that puts them together", async () => {
  const project = await startWithAcme();
  const { code, stdout, stderr } = await project.tenancy(["export", "--out", "tenants", "--account", "acme"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "index.ts\nacme.ts\n" });
  expect(stderr).toContain('import { tenants } from "./tenants"');
  expect(await textIn(project, "tenants/index.ts")).toBe(INDEX);
  expect(await textIn(project, "tenants/acme.ts")).toBe(ACME);
  expect((await readdir(join(project.folder, "tenants"))).sort()).toEqual(["acme.ts", "index.ts"]);
});

const HEADER =
  "// Written by `tenancy export`. No service shows passwords, tokens, secrets of second factors and templates, so they are not in it.\n";

const INDEX = `${HEADER}import type { TenantProps } from "tenancy";
import { Construct } from "constructs";
import { acme } from "./acme";

/** Declares the tenants, in a construct of their own. */
export function tenants(
  scope: Construct,
  service: Pick<TenantProps, "provider"> = {},
) {
  const folder = new Construct(scope, "tenants");
  return {
    acme: acme(folder, service),
  };
}
`;

const ACME = `${HEADER}import { Permissions, Tenant, type TenantProps } from "tenancy";
import type { Construct } from "constructs";

export function acme(
  scope: Construct,
  service: Pick<TenantProps, "provider"> = {},
) {
  const tenant = new Tenant(scope, "acme", {
    // There is a password, which the service does not show.
    // Left out, because the service does not show it: primary_contact.address, primary_contact.company, primary_contact.email, primary_contact.phone.
    ...service,
    name: "acme",
    primaryContact: {
      firstName: "Ann",
      lastName: "Lee",
    },
    limits: {
      vssNum: 20,
    },
    level: 10,
    access: {
      web: true,
      api: true,
    },
    permissions: Permissions.none(),
    users: {
      csi: {
        emailNotify: false,
        smsNotify: false,
        allowSu: true,
        level: 0,
        appDefault: "storage",
        access: {
          web: true,
          api: true,
        },
        twoFactor: {
          auth: "none",
        },
        permissions: Permissions.none()
          .allow("vss.manage_snapshots")
          .scopedTo({
            vsses: ["virtual-storage-service:1:7"],
          }),
      },
      jane: {
        // There is a password, which the service does not show.
        // Left out, because the service masks it: sms.
        email: "jane@acme.example",
        emailNotify: false,
        smsNotify: false,
        allowSu: true,
        level: 0,
        appDefault: "storage",
        access: {
          web: true,
          api: true,
        },
        twoFactor: {
          auth: "none",
        },
        permissions: Permissions.observer().allow("vss.update_vss"),
      },
    },
  });
  tenant.importFrom();
  tenant.user("csi").importFrom();
  tenant.user("jane").importFrom();
  return tenant;
}
`;

test("nothing that exists is overwritten, and then nothing is written at all", async () => {
  const project = await startWithAcme();
  await mkdir(join(project.folder, "tenants"));
  await writeFile(join(project.folder, "tenants/acme.ts"), "mine");
  const { code, stderr } = await project.tenancy(["export", "--out", "tenants"]);
  expect(code).toBe(1);
  expect(stderr).toContain("TENANCY_FILE_UNUSABLE");
  expect(await readdir(join(project.folder, "tenants"))).toEqual(["acme.ts"]);
  expect(await textIn(project, "tenants/acme.ts")).toBe("mine");
});

test("a link that leads nowhere counts as a file that exists", async () => {
  const project = await startWithAcme();
  await mkdir(join(project.folder, "tenants"));
  await symlink("/nowhere/at/all", join(project.folder, "tenants/index.ts"));
  expect((await project.tenancy(["export", "--out", "tenants"])).code).toBe(1);
  expect(await readdir(join(project.folder, "tenants"))).toEqual(["index.ts"]);
});

test("a folder that cannot be made is told, and leaves nothing behind", async () => {
  const project = await startWithAcme();
  await writeFile(join(project.folder, "file"), "");
  const { code, stderr } = await project.tenancy(["export", "--out", "file/tenants"]);
  expect(code).toBe(1);
  expect(stderr).toContain("TENANCY_FILE_UNUSABLE");
  expect((await lstat(join(project.folder, "file"))).isFile()).toBe(true);
});

test("--check says which files differ, and writes nothing", async () => {
  const project = await startWithAcme();
  const check = () => project.tenancy(["export", "--out", "tenants", "--check"]);
  expect(await check()).toMatchObject({
    code: 2,
    stdout: "index.ts: missing\nacme.ts: missing\nsystem.ts: missing\n",
  });
  await expect(readdir(join(project.folder, "tenants"))).rejects.toThrow("ENOENT");

  await project.tenancy(["export", "--out", "tenants"]);
  expect(await check()).toMatchObject({ code: 0, stdout: "" });

  project.service.records.patchProfile("jane@acme", { email: "j@acme.example" });
  expect(await check()).toMatchObject({ code: 2, stdout: "acme.ts: differs\n" });

  project.service.records.deleteAccount("acme");
  await writeFile(join(project.folder, "tenants/mine.ts"), "// mine");
  expect(await check()).toMatchObject({ code: 2, stdout: "index.ts: differs\nacme.ts: no longer live\n" });
});

test("a list that is not whole is refused", async () => {
  const project = await startWithAcme();
  project.service.fail({ method: "GET", path: "/api/account", times: 9, alter: () => [] });
  const { code, stderr } = await project.tenancy(["export", "--out", "tenants"]);
  expect(code).toBe(1);
  expect(stderr).toContain("TENANCY_INCOMPLETE_LISTS");
});

test("a pattern that begins with ! takes away from what the others name, or from everything", async () => {
  const project = await startWithAcme();
  for (const name of ["acme-east", "acme-west"]) project.service.records.createAccount({ name });
  const files = async (folder: string, ...patterns: readonly string[]) => {
    const words = patterns.flatMap((pattern) => ["--account", pattern]);
    return (await project.tenancy(["export", "--out", folder, ...words])).stdout.split("\n").slice(1, -1);
  };
  expect(await files("some", "acme*", "!acme-w*")).toEqual(["acme.ts", "acme-east.ts"]);
  expect(await files("order", "!acme-w*", "acme*")).toEqual(["acme.ts", "acme-east.ts"]);
  expect(await files("others", "!acme-*", "!system")).toEqual(["acme.ts"]);
});

test("what a caller exports who may not see everything is told not to be proven to be all", async () => {
  const project = await startWithAcme();
  project.service.records.createAccount({ name: "auditors", password: "correct horse" });
  const environment = { TENANCY_USERNAME: "auditors", TENANCY_PASSWORD: "correct horse" };
  const limited = await project.tenancy(["export", "--out", "seen"], { environment });
  expect(limited).toMatchObject({ code: 0, stdout: "index.ts\nauditors.ts\n" });
  expect(limited.stderr).toContain("Not proven to be all of http://127.0.0.1");
  expect(limited.stderr).toContain("the caller lacks the right realm.manage_accounts");
  expect((await project.tenancy(["export", "--out", "all"])).stderr).not.toContain("Not proven");
});

test("a pattern that matches no account is an error", async () => {
  const project = await startWithAcme();
  const { code, stderr } = await project.tenancy(["export", "--out", "tenants", "--account", "b*"]);
  expect(code).toBe(1);
  expect(stderr).toContain("TENANCY_NOT_EXPORTABLE");
});

test("a stack without a provider names no service, and the error says so", async () => {
  const project = await startWithAcme();
  await project.declare({ prod: { output: { region: { value: "eu" } } } });
  const { code, stderr } = await project.tenancy(["export", "--out", "tenants"]);
  expect(code).toBe(1);
  expect(stderr).toContain('the stack "prod" has no provider');
  expect(stderr).toContain("TENANCY_INCOMPLETE_PROVIDER");
  expect(stderr).not.toContain("there is no account to export");
});

test("in a project its own services are exported, and the environment does not count", async () => {
  const project = await startWithAcme();
  const { TENANCY_BASE_URL, ...environment } = project.environment;
  await project.declare({
    prod: { provider: { tenancy: [{ base_url: TENANCY_BASE_URL, owner: "another-platform" }] } },
  });
  const { code } = await project.tenancy(["export", "--out", "tenants", "--account", "acme"], {
    environment: { ...environment, TENANCY_BASE_URL: "http://127.0.0.1:9" },
  });
  expect(code).toBe(0);
});

test("each service of a stack gets a folder", async () => {
  const project = await startWithAcme();
  await project.declare({
    prod: { provider: { tenancy: [{}, { alias: "eu", owner: "acme-eu" }] } },
  });
  const { code, stdout } = await project.tenancy(["export", "--out", "tenants", "--account", "acme"]);
  expect(code).toBe(0);
  expect(stdout).toBe("default/index.ts\ndefault/acme.ts\neu/index.ts\neu/acme.ts\n");
});

test("a snapshot serves in place of the service: what is personal is left out, and nobody is asked", async () => {
  const project = await startWithAcme();
  expect((await project.tenancy(["snapshot", "--out", "live.json"])).code).toBe(0);
  await project.tenancy(["export", "--out", "asked"]);

  const before = project.service.requests.length;
  const environment = { TENANCY_USERNAME: "", TENANCY_PASSWORD: "" };
  const words = ["export", "--out", "tenants", "--from-snapshot", "live.json"];
  const { code, stderr } = await project.tenancy(words, { environment });
  expect(code).toBe(0);
  expect(stderr).toContain("From a snapshot that is");
  expect(project.service.requests).toHaveLength(before);

  const asked = await textIn(project, "asked/acme.ts");
  const read = await textIn(project, "tenants/acme.ts");
  expect(asked).toContain('email: "jane@acme.example"');
  expect(read).not.toContain("jane@acme.example");
  expect(read).toContain("// Left out, because the snapshot does not have it: email, sms, xmd_refs.");
  expect(await textIn(project, "tenants/index.ts")).toBe(await textIn(project, "asked/index.ts"));
});

test("code for a project that depends on cdktn imports what is made for cdktn", async () => {
  const project = await startWithAcme();
  await project.write("package.json", { dependencies: { cdktn: "^0.22.0" } });
  await project.tenancy(["export", "--out", "tenants"]);
  expect(await textIn(project, "tenants/index.ts")).toContain('from "tenancy/cdktn";');
  const text = await textIn(project, "tenants/acme.ts");
  expect(text).toContain('from "tenancy/cdktn";');
  expect(await formatted(text)).toBe(text);
});

/** A stack that declares what hands have made, by import blocks. */
function imported(project: Project, ...names: readonly string[]) {
  const ids = names.map((name) => project.service.records.account(name).id);
  return {
    ...accounts(...names),
    import: names.map((name, index) => ({ to: `tenancy_account.${name}`, id: ids[index] })),
  };
}

test("what the project declares already is listed, and not exported again", async () => {
  const project = await startWithAcme();
  project.service.records.createAccount({ name: "globex" });
  await project.declare({ prod: imported(project, "globex") });
  const { code, stdout, stderr } = await project.tenancy([
    "export",
    "--out",
    "tenants",
    "--account",
    "!system",
  ]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "index.ts\nacme.ts\n" });
  expect(stderr).toContain('Declared already, so not exported again: the account "globex".');
  expect(await textIn(project, "tenants/index.ts")).not.toContain("globex");
});

test("a user whom nobody declares in a declared account is exported into that account", async () => {
  const project = await startWithAcme();
  const stack = imported(project, "acme");
  const jane = { username: "jane", account_id: "${tenancy_account.acme.id}" };
  await project.declare({
    prod: {
      ...stack,
      resource: { tenancy_account: { acme: { name: "acme" } }, tenancy_user_profile: { jane } },
      import: [
        ...stack.import,
        { to: "tenancy_user_profile.jane", id: project.service.records.profile("jane@acme").id },
      ],
    },
  });
  const { code, stderr } = await project.tenancy(["export", "--out", "tenants", "--account", "acme"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain('the account "acme".\n');
  expect(stderr).toContain('the user "jane@acme".\n');
  const text = await textIn(project, "tenants/acme.ts");
  expect(text).toContain('const tenant = Tenant.fromName(scope, "acme", "acme", service);');
  expect(text).toContain('const csi = tenant.addUser("csi", {');
  expect(text).toContain("  csi.importFrom();\n");
  expect(text).not.toContain("jane");
  expect(await formatted(text)).toBe(text);
});

test("what another stack of the project declares at the same service is not exported, either", async () => {
  const project = await startWithAcme();
  await project.declare({
    prod: accounts(),
    labs: { ...imported(project, "acme"), provider: { tenancy: [{ owner: "labs-platform" }] } },
    // Nobody asks a service that has nothing to do with it.
    elsewhere: { ...accounts("acme"), provider: { tenancy: [{ base_url: "http://127.0.0.1:9" }] } },
  });
  const { code, stdout, stderr } = await project.tenancy(["export", "prod", "--out", "tenants"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "index.ts\nsystem.ts\n" });
  expect(stderr).toContain('Declared already, so not exported again: the account "acme".');
  expect(stderr).toContain('the user "jane@acme" (user_profile:1:');
  expect(stderr).toContain('Its account is declared by the stack "labs": export it with that one.');
});

test("what is declared to be deleted is not exported", async () => {
  const project = await startWithAcme();
  const { id } = project.service.records.account("acme");
  await project.declare({
    prod: { ...accounts(), "//": { tenancy: { removed: [{ account: "acme", id }] } } },
  });
  const { stdout, stderr } = await project.tenancy(["export", "--out", "tenants"]);
  expect(stdout).toBe("index.ts\nsystem.ts\n");
  expect(stderr).toContain('the account "acme".');
});

test("where everything is declared already, nothing is written, and nothing is wrong", async () => {
  const project = await startWithAcme();
  await project.declare({ prod: imported(project, "system") });
  const words = ["export", "--out", "tenants", "--account", "system"];
  const { code, stdout, stderr } = await project.tenancy(words);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toContain("Nothing is left to export, so nothing was written.");
  await expect(readdir(join(project.folder, "tenants"))).rejects.toThrow("ENOENT");
  expect(await project.tenancy([...words, "--check"])).toMatchObject({ code: 0, stdout: "" });
});

test("where a stack cannot be evaluated, that is said, since its tenants may be exported a second time", async () => {
  const project = await startWithAcme();
  await project.declare({ prod: { ...accounts("acme"), output: { broken: { value: "${1 / 0}" } } } });
  const { code, stderr } = await project.tenancy(["export", "--out", "tenants", "--account", "acme"]);
  expect(code).toBe(0);
  expect(stderr).toContain("prod cannot be evaluated to its end");
});

test("HCL, which is for a module of its own, has everything", async () => {
  const project = await startWithAcme();
  await project.declare({ prod: imported(project, "acme") });
  const { stdout } = await project.tenancy([
    "export",
    "--out",
    ".",
    "--language",
    "hcl",
    "--account",
    "acme",
  ]);
  expect(stdout).toBe("acme.tf\n");
  expect(await textIn(project, "acme.tf")).toContain('resource "tenancy_account" "acme"');
});

test("access that ends is exported with its last day", async () => {
  const project = await start();
  const jane = {
    username: "jane",
    account_id: "${tenancy_account.acme.id}",
    permissions: { "vss.manage_snapshots": true },
    permissions_until: { "vss.format_disks": "2199-12-03", "vss.resize_disks": "2199-11-30" },
    access_web: true,
    access_api: true,
    access_until: "2199-12-31",
  };
  await project.declare({
    prod: {
      provider: { tenancy: [{}] },
      resource: { tenancy_account: { acme: { name: "acme" } }, tenancy_user_profile: { jane } },
    },
  });
  expect(await project.tenancy(["apply", "--yes"])).toMatchObject({ code: 0 });

  await project.tenancy(["export", "--out", "hcl", "--language", "hcl", "--account", "acme"]);
  const hcl = await textIn(project, "hcl/acme.tf");
  expect(hcl).toMatch(/permissions += \{\n +"vss.manage_snapshots" = true\n +\}/);
  expect(hcl).toMatch(
    /permissions_until += \{\n +"vss.format_disks" += "2199-12-03"\n +"vss.resize_disks" += "2199-11-30"\n +\}/,
  );
  expect(hcl).toMatch(/access_until += "2199-12-31"/);

  await project.declare({ prod: { provider: { tenancy: [{}] } } });
  await project.tenancy(["export", "--out", "code", "--account", "acme"]);
  const code = await textIn(project, "code/acme.ts");
  expect(code).toContain('.until("2199-11-30", (p) => p.allow("vss.resize_disks"))');
  expect(code).toContain('until: "2199-12-31"');
});
