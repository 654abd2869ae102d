/** Code that is exported in a project joins what the project declares; covers src/engine/declared.ts, export.ts and src/export/tokens.ts. */
import type { TerraformStack } from "cdktf";
import { Permissions, Deletion, Tenant } from "tenancy";
import { type Exported, exportLive, type StackSource } from "../../src/engine";
import type { ExportOptions } from "../../src/engine/export";
import { formatted, load } from "../support/exported-code";
import { actions, type Build, type Project, projects } from "../support/projects";

const start = projects();

const OWNER = { owner: "acme-platform" };

async function exported(project: Project, declared: Build, options: ExportOptions = {}): Promise<Exported> {
  const source: StackSource = project.synthesize(declared, OWNER);
  return exportLive(source, { ...project.options(), isWanted: (name) => name !== "system", ...options });
}

/** The plan of what the project declared before, and of the exported code. */
async function planned(project: Project, before: Build, { files }: Exported) {
  const both = (stack: TerraformStack) => {
    before(stack);
    load(files).tenants(stack);
  };
  const plan = await project.plan(both);
  const imported = plan.changes.filter(({ claim }) => claim === "imported").map(({ key }) => key);
  return { actions: actions(plan), imported };
}

async function expectFormatted(files: Exported["files"]): Promise<void> {
  for (const [name, text] of files) expect([name, await formatted(text)]).toEqual([name, text]);
}

const nothing: Build = () => undefined;

test("what hands have made beside what the project declares is imported, and nothing else is planned", async () => {
  const project = await start();
  const acme: Build = (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: { jane: { permissions: Permissions.operator() } },
    });
  await project.apply(acme);
  const { records } = project.service;
  records.createProfile("acme", { username: "bob", email: "bob@acme.example" });
  records.createProfile("acme", { username: "tenant" });
  records.createProfile("acme", { username: 'a "name" of which a line of eighty columns is not enough' });
  records.createAccount({ name: "globex" });
  records.createProfile("globex", { username: "amy" });

  const code = await exported(project, acme);
  expect(code.declared.join("\n")).toContain('the account "acme"');
  expect(code.declared.join("\n")).toContain('the user "jane@acme"');
  expect(code.notes).toEqual([]);
  await expectFormatted(code.files);
  expect(await planned(project, acme, code)).toEqual({
    actions: [],
    imported: expect.arrayContaining(["globex", "amy@globex", "bob@acme", "tenant@acme"]) as string[],
  });
});

const withTokens: Build = (stack) =>
  void new Tenant(stack, "acme", {
    name: "acme",
    permissions: Permissions.none(),
    users: { csi: { permissions: Permissions.none() } },
    tokens: { "csi-prod": { user: "csi" }, own: {}, kept: { user: "csi", keepers: { quarter: "1" } } },
  });

test("tokens of the state are declared with their tenant, so that no plan revokes them", async () => {
  const project = await start();
  await project.apply(withTokens);
  const code = await exported(project, nothing);
  await expectFormatted(code.files);
  // Of keepers nobody knows whether they are secret.
  expect(code.leftOut).toHaveLength(1);
  expect(code.leftOut[0]).toMatch(/^Not here: the token "csi@acme\/kept" \(ATH\w+\)\. It has keepers/);
  const { actions: done } = await planned(project, nothing, code);
  expect(done).toEqual(['delete tenancy_authorization.undeclared["csi@acme/kept"]']);
});

test("a token that was rotated is declared with the retention of the tokens that it has replaced", async () => {
  const project = await start();
  const rotated = (keepers?: Record<string, string>): Build => {
    const csi = {
      user: "csi" as const,
      retainPrevious: 3,
      retainPreviousFor: "30d",
      ...(keepers && { keepers }),
    };
    return (stack) =>
      void new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: { csi: { permissions: Permissions.none() } },
        tokens: { "csi-prod": csi },
      });
  };
  await project.apply(rotated({ quarter: "1" }));
  await project.apply(rotated({ quarter: "2" }));
  await project.apply(rotated());
  const code = await exported(project, nothing);
  await expectFormatted(code.files);
  expect(code.files.get("acme.ts")).toMatch(/retainPreviousFor: "30d",\s+retainPrevious: 3,/);
  expect(await planned(project, nothing, code)).toEqual({ actions: [], imported: [] });
});

test("tokens of users that the project declares are declared beside them", async () => {
  const project = await start();
  await project.apply(withTokens);
  const withoutTokens: Build = (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: { csi: { permissions: Permissions.none() } },
      tokens: { kept: { user: "csi", keepers: { quarter: "1" } } },
    });
  const code = await exported(project, withoutTokens);
  await expectFormatted(code.files);
  expect(code.leftOut).toEqual([]);
  expect(code.declared.join("\n")).toContain('the token "csi@acme/kept"');
  expect(await planned(project, withoutTokens, code)).toEqual({ actions: [], imported: [] });
});

test("Terraform cannot take in a token, so HCL lists it", async () => {
  const project = await start();
  await project.apply(withTokens);
  const { files, leftOut } = await exported(project, nothing, { language: "hcl" });
  expect(leftOut).toHaveLength(3);
  expect(leftOut[0]).toMatch(/Terraform cannot import a token, since no service shows its secret\.$/);
  expect([...files.values()].join("")).not.toContain("tenancy_authorization");
});

test("what an earlier export wrote is compared, although the project declares it by now", async () => {
  const project = await start();
  project.service.records.createAccount({ name: "acme" });
  project.service.records.createProfile("acme", { username: "jane" });
  const first = await exported(project, nothing);
  const importing: Build = (stack) => void load(first.files).tenants(stack);
  expect((await exported(project, importing)).files.size).toBe(0);
  const earlier = new Set(["index", "acme"]);
  expect((await exported(project, importing, { earlier })).files).toEqual(first.files);
  // Of a file that is not there any more, its tenants are declared by somebody's own code.
  expect((await exported(project, importing, { earlier: new Set(["index"]) })).files.size).toBe(0);
  await project.apply(importing);
  project.service.records.patchProfile("jane@acme", { email: "j@acme.example" });
  expect((await exported(project, importing, { earlier })).files).not.toEqual(first.files);
});

test("a tenant that new Deletion(…) means is not exported, and another one of its name is", async () => {
  const project = await start();
  const { id } = project.service.records.createAccount({ name: "acme" });
  const removed =
    (gone: string): Build =>
    (stack) =>
      void new Deletion(stack, "gone", { account: "acme", id: gone });
  const code = await exported(project, removed(id));
  expect(code.files.size).toBe(0);
  expect(code.declared.join("\n")).toContain('the account "acme"');
  expect([...(await exported(project, removed(`${id}0`))).files.keys()]).toContain("acme.ts");
});
