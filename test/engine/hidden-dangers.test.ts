/** Whoever reads a plan, and nothing else, can tell what would happen: covers src/plan/access.ts, the guards and src/engine/diff/plan-remarks.ts. */
import { Account, Permissions, Tenant, UserProfile } from "tenancy";
import { TerraformVariable } from "cdktf";
import { type Plan, PlanRefused } from "../../src/engine";
import type { PlanOptions } from "../../src/engine/options";
import { jsonPlan, jsonText } from "../../src/render/json";
import { diagnosticsText, planText } from "../../src/render/text";
import { plain } from "../../src/render/text/paint";
import { type Build, findings, type Project, projects } from "../support/projects";

const start = projects();

interface Read {
  /** The plan as a person reads it; what a refused one says in its place. */
  readonly text: string;
  /** The lines under Access. */
  readonly access: readonly string[];
  /** The document for programs. */
  readonly json: { readonly tenancy: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;
}

/** What is to be read of a plan. */
async function read(project: Project, build: Build, options: PlanOptions = {}): Promise<Read> {
  const plan: Plan = await project.plan(build, options);
  const text = planText(plan, plain);
  const [, access = ""] = /\nAccess\n([\s\S]*?)\n\n/.exec(text) ?? [];
  return { text, access: access.split("\n"), json: JSON.parse(jsonText(jsonPlan(plan))) as Read["json"] };
}

/** What is to be read of a plan that is refused. */
async function refused(project: Project, build: Build, options: PlanOptions = {}): Promise<string> {
  const error: unknown = await project.plan(build, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlanRefused)) throw new Error(`the plan was not refused: ${String(error)}`);
  return diagnosticsText(error.diagnostics, plain);
}

const crew = Array.from({ length: 30 }, (_one, index) => `user-${index}`);

test("1. an administrator among thirty changed e-mail addresses stands first", async () => {
  const project = await start();
  const team =
    (domain: string, chosen?: string): Build =>
    (stack) =>
      void new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: Object.fromEntries(
          crew.map((name) => [
            name,
            {
              email: `${name}@${domain}`,
              permissions:
                name === chosen ? Permissions.none().allow("user.manage_users") : Permissions.none(),
            },
          ]),
        ),
      });
  await project.apply(team("old.example"));
  const { access, json } = await read(project, team("new.example", "user-17"));
  expect(access).toEqual([
    expect.stringMatching(/^ {2}~ user-17@acme +gains +user\.manage_users \(privileged\)$/) as string,
  ]);
  expect(json.tenancy["access"]).toMatchObject([
    { who: "user-17@acme", entries: [{ thing: { permission: "user.manage_users" }, marks: ["privileged"] }] },
  ]);
});

test("2. a scope that grows from one service to all is told, though no right changes", async () => {
  const project = await start();
  const jane =
    (scope: readonly string[]): Build =>
    (stack) => {
      const { id } = new Account(stack, "acme", { name: "acme", permissions: {} });
      new UserProfile(stack, "jane", {
        username: "jane",
        accountId: id,
        permissions: { "vss.update_vss": true },
        vssScope: [...scope],
      });
    };
  await project.apply(jane(["VSS1"]));
  const { access, json } = await read(project, jane(["*"]));
  expect(access).toEqual([expect.stringMatching(/~ jane@acme +gains +vss_scope \*$/) as string]);
  expect(json.tenancy["access"]).toMatchObject([
    { who: "jane@acme", entries: [{ thing: { vss_scope: "*" } }] },
  ]);
});

test("3. a renamed tenant is told as a new, empty one beside the old one", async () => {
  const project = await start();
  const tenant =
    (name: string): Build =>
    (stack) =>
      void new Tenant(stack, "acme", { name, permissions: Permissions.none() });
  await project.apply(tenant("acme"));
  const { text, json } = await read(project, tenant("acme-storage"));
  expect(text).toContain(
    "acme -> acme-storage                  names cannot change: acme-storage is a new, empty account, and the storage stays behind in acme",
  );
  expect(json.tenancy["renames"]).toMatchObject([{ from: "acme", to: "acme-storage" }]);
});

const withToken =
  (keeper: string, more: object = {}): Build =>
  (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: { csi: { permissions: Permissions.none().allow("vss.manage_snapshots") } },
      tokens: {
        csi: { user: "csi", loginWith: "temporary_password", keepers: { cluster: keeper }, ...more },
      },
    });

test("4. a rotation says what becomes of the old token, and a second one that would end it early is refused", async () => {
  const project = await start();
  await project.apply(withToken("one"));
  const { access, json } = await read(project, withToken("two"));
  expect(access).toEqual([expect.stringContaining("a new token; the old one stays valid for 7d") as string]);
  expect(json.tenancy["access"]).toMatchObject([
    { entries: [{ note: "a new token; the old one stays valid for 7d" }] },
  ]);
  await project.apply(withToken("two"));
  const text = await refused(project, withToken("three"));
  expect(text).toContain("TENANCY_RETIRES_EARLY");
  expect(text).toContain("set a higher `retainPrevious` to keep the old token, or pass --retire-early.");
});

test("5. a tenant that goes takes others along: they are named, and stop the plan until that is allowed", async () => {
  const project = await start();
  const tenant: Build = (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      deletionProtection: false,
    });
  await project.apply(tenant);
  project.service.records.createProfile("acme", { username: "eve" });
  const nothing: Build = () => undefined;
  const text = await refused(project, nothing, { allowAccountDeletion: true, maxDeletes: 9 });
  expect(text).toContain('account "acme" is not empty');
  expect(text).toContain("eve@acme");
  const allowed = await read(project, nothing, {
    allowAccountDeletion: true,
    allowNonempty: true,
    maxDeletes: 9,
  });
  expect(allowed.text).toContain("eve@acme · goes with its account · unmanaged");
  expect(allowed.json.tenancy["deleted_with_account"]).toMatchObject([{ key: "eve@acme" }]);
});

test("6. a stranger in a tenant of ours is told at each plan, with what the stranger may do", async () => {
  const project = await start();
  const tenant: Build = (stack) =>
    void new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none() });
  await project.apply(tenant);
  project.service.records.createProfile("acme", { username: "eve" });
  const { text, json } = await read(project, tenant);
  expect(text).toMatch(/Unmanaged\n {4}eve@acme +39 rights \(destructive, privileged\)/);
  expect(json.tenancy["unmanaged_users"]).toMatchObject([{ key: "eve@acme", active: true }]);
});

test("7. a tenant whose rights nobody names gets those of the service, and the plan counts them", async () => {
  const project = await start();
  const { access, text, json } = await read(
    project,
    (stack) => void new Account(stack, "acme", { name: "acme" }),
  );
  expect(access[0]).toMatch(/\+ acme +39 rights +account_admin \(destructive, privileged\)/);
  expect(access.join(" ")).toContain("by the service's default");
  expect(text).toContain("TENANCY_UNDECLARED_PERMISSIONS");
  expect(json.tenancy["access"]).toMatchObject([{ who: "acme", rights: "account_admin" }]);
});

test("8. a suspended user who comes back is told as somebody who can do more", async () => {
  const project = await start();
  const acme =
    (accessApi: boolean): Build =>
    (stack) =>
      void new Account(stack, "acme", { name: "acme", permissions: { "vss.format_disks": true }, accessApi });
  await project.apply(acme(false));
  const { access, json } = await read(project, acme(true));
  expect(access).toEqual([expect.stringMatching(/~ acme +gains +API access/) as string]);
  expect(json.tenancy["access"]).toMatchObject([{ who: "acme", effect: "grants" }]);
});

test("9. a second factor that is taken away is told, since it makes it easier to pass as that user", async () => {
  const project = await start();
  const jane =
    (factor: string): Build =>
    (stack) => {
      const { id } = new Account(stack, "acme", { name: "acme", permissions: {} });
      new UserProfile(stack, "jane", {
        username: "jane",
        accountId: id,
        permissions: {},
        twoFactorAuth: factor,
      });
    };
  await project.apply(jane("google"));
  const { access, json } = await read(project, jane("none"));
  expect(access).toEqual([
    expect.stringMatching(/~ jane@acme +gains +access without a second factor \(was google\)/) as string,
  ]);
  expect(json.tenancy["access"]).toMatchObject([
    { effect: "grants", entries: [{ thing: { two_factor: "none" } }] },
  ]);
});

test("10. a new password for somebody who has one is told, without the password", async () => {
  const project = await start();
  const jane =
    (version: number): Build =>
    (stack) => {
      const password = new TerraformVariable(stack, "password", { type: "string", sensitive: true });
      const { id } = new Account(stack, "acme", { name: "acme", permissions: {} });
      new UserProfile(stack, "jane", {
        username: "jane",
        accountId: id,
        permissions: {},
        passwordWo: password.stringValue,
        passwordWoVersion: version,
      });
    };
  const environment = (secret: string) => ({ environment: { TF_VAR_password: secret } });
  await project.apply(jane(1), environment("canary-one"));
  const { access, text, json } = await read(project, jane(2), environment("canary-two"));
  expect(access).toEqual([expect.stringMatching(/~ jane@acme +changes +a new password/) as string]);
  expect(json.tenancy["access"]).toMatchObject([
    { entries: [{ thing: { password: "2" }, effect: "changes" }] },
  ]);
  expect(text + JSON.stringify(json)).not.toContain("canary");
});

test("11. somebody else's object of that name is never taken for ours: the plan is refused, and says whose choice it is", async () => {
  const project = await start();
  project.service.records.createAccount({ name: "acme", password: "secret" });
  const build: Build = (stack) => void new Account(stack, "acme", { name: "acme", permissions: {} });
  expect(await findings(project.plan(build))).toMatchObject([
    { code: "TENANCY_UNMANAGED", address: "tenancy_account.acme" },
  ]);
});
