/** What a plan is about, what it tells besides its changes, and what is told where a guard stops it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TerraformOutput } from "cdktf";
import { Account, Authorization, Permissions, Deletion, TenancyProvider, UserProfile } from "tenancy";
import { type PlanOptions, refusedPlan, takeSnapshot } from "../../src/engine";
import { TenancyError } from "../../src/problems";
import {
  actions,
  type Build,
  codes,
  type Project,
  projects,
  tenant,
  together,
  RECKLESS,
} from "../support/projects";
import { exactly } from "../support/rights";

const start = projects();

/** A plan that a guard stops, and why. */
async function stopped(project: Project, build: Build, options: PlanOptions = {}) {
  const error: unknown = await project.plan(build, options).catch((reason: unknown) => reason);
  const plan = refusedPlan(error);
  if (!(error instanceof TenancyError) || plan === undefined) throw error;
  return { plan, why: codes(error.toDiagnostics()) };
}

describe("what a plan tells besides its changes", () => {
  const named: Build = (stack) => void new TerraformOutput(stack, "name", { value: "acme" });

  test("is what nobody declares and what looks renamed, where the whole stack is compared with all that is ours", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane"]));
    project.service.records.createProfile("acme", { username: "eve" });
    const kept = together(tenant("acme", ["jane"]), named);
    const moved = tenant("globex", ["jane"]);

    const whole = await project.plan(kept);
    expect(whole.unmanagedUsers.map(({ key }) => key)).toEqual(["eve@acme"]);
    expect(whole).toMatchObject({ destroy: false, noPrune: false, partial: false });
    expect(whole.outputs.map(({ name }) => name)).toEqual(["name"]);
    expect(whole).not.toHaveProperty("takenAt");
    expect(whole.drift?.()).toEqual([]);
    expect((await project.plan(moved)).renames).toMatchObject([{ from: "acme", to: "globex" }]);

    const only = ["tenancy_account.acme"];
    const part = await project.plan(kept, { only });
    expect(part).toMatchObject({ unmanagedUsers: [], renames: [], partial: true });
    expect(part.changes.map(({ address }) => address)).toEqual(only);
    const destroy = { ...RECKLESS, destroy: true };
    expect(await project.plan(kept, destroy)).toMatchObject({
      unmanagedUsers: [],
      destroy: true,
      outputs: [],
    });
    const ofOne = { ...destroy, only: ["tenancy_user_profile.acme_jane"] };
    expect(await project.plan(kept, ofOne)).toMatchObject({ unmanagedUsers: [], destroy: true });
  });

  test("is the time at which a snapshot was taken, where it plans from one", async () => {
    const project = await start();
    const source = project.synthesize(tenant("acme"));
    await project.apply(source);
    const text = await takeSnapshot([source], project.options());
    const file = join(project.folder, "live.json");
    await writeFile(file, text);
    const { taken_at: takenAt } = JSON.parse(text) as { taken_at: string };
    expect((await project.plan(source, { fromSnapshot: { file } })).takenAt).toBe(takenAt);
  });
});

describe("a plan that a guard stops", () => {
  test("is kept beside the reasons, which are no warnings of it", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["a", "b", "c", "d", "e", "f"]));
    const { plan, why } = await stopped(project, tenant("acme"));
    expect(why).toContain("TENANCY_TOO_MANY_DELETES");
    expect(actions(plan)).toHaveLength(6);
    expect(plan.notVerified).toEqual([]);
    expect(codes(plan.warnings)).toEqual([]);

    const removed = together(
      tenant("acme", ["a"]),
      (stack) => void new Deletion(stack, "gone", { account: "acme" }),
    );
    const refused = await stopped(project, removed, RECKLESS);
    expect(refused.why).toContain("TENANCY_REMOVED_AND_DECLARED");
    expect(codes(refused.plan.warnings)).not.toContain("TENANCY_REMOVED_AND_DECLARED");
    expect(refusedPlan(new Error("of something else"))).toBeUndefined();
    expect(refusedPlan("no error")).toBeUndefined();
  });

  test("is one that deletes the user of a token which it keeps, but no destroy", async () => {
    const project = await start();
    const build =
      (...users: readonly string[]): Build =>
      (stack) => {
        tenant("acme", ["joe", "jack", ...users])(stack);
        const token = { name: "prod", login: "csi@acme", loginWith: "temporary_password" };
        new Authorization(stack, "token", token);
      };
    await project.apply(build("csi"), { initState: true });
    expect((await stopped(project, build())).why).toEqual(["TENANCY_TOKEN_WITHOUT_USER"]);
    // Nor does the limit hold for it.
    const destroyed = await project.plan(build("csi"), { destroy: true, allowAccountDeletion: true });
    expect(actions(destroyed)).toContain("delete tenancy_authorization.token");
  });

  test("is one of a stack that declares nothing, however much stays, unless it is asked about a part", async () => {
    const project = await start();
    const { id: accountId } = project.service.records.createAccount({ name: "initech" });
    const user: Build = (stack) =>
      void new UserProfile(stack, "peter", { username: "peter", accountId, permissions: {} });
    await project.apply(together(tenant("acme"), tenant("globex"), tenant("hooli"), user));
    const empty: Build = () => undefined;
    const { plan, why } = await stopped(project, empty);
    expect(why).toEqual(["TENANCY_TOO_MANY_DELETES"]);
    const deleted = ['delete tenancy_user_profile.undeclared["peter@initech"]'];
    expect(actions(plan)).toEqual(deleted);
    expect(actions(await project.plan(empty, { maxDeletes: 1 }))).toEqual(deleted);
    expect(actions(await project.plan(empty, { only: ["peter@initech"] }))).toEqual(deleted);
    expect(actions(await project.plan(together(tenant("acme"), tenant("globex"), tenant("hooli"))))).toEqual(
      deleted,
    );
  });
});

test("what a caller may not see is planned with a warning, and named as what stops the apply", async () => {
  const project = await start();
  project.service.records.createAccount({ name: "ops" });
  const rights = exactly(Permissions.accountAdmin());
  project.service.records.createProfile("ops", { username: "deployer", password: "secret", ...rights });
  const environment = { TENANCY_USERNAME: "deployer@ops", TENANCY_PASSWORD: "secret" };
  const plan = await project.plan(tenant("acme"), { environment });
  expect(actions(plan)).toEqual(["create tenancy_account.acme"]);
  const unproven = { code: "TENANCY_NOT_VERIFIED", address: "tenancy_account.acme" };
  expect(plan.notVerified).toMatchObject([{ ...unproven, severity: "error" }]);
  expect(plan.warnings).toMatchObject([{ ...unproven, severity: "warning" }]);
});

test("where a block that is left out cannot be evaluated, what is named as removed goes all the same, and so does what is destroyed", async () => {
  const project = await start();
  await project.apply(tenant("acme", ["jane", "joe", "jack"]));
  const broken: Build = (stack) => {
    tenant("acme", ["jane", "joe"])(stack);
    const unread = new UserProfile(stack, "unread", { username: "x", accountId: "x", permissions: {} });
    unread.addOverride("account_id", '${file("nowhere")}');
  };
  const removed = together(broken, (stack) => void new Deletion(stack, "gone", { login: "jack@acme" }));
  const only = ["jack@acme"];
  const jack = 'delete tenancy_user_profile.undeclared["jack@acme"]';
  expect((await stopped(project, broken, { only })).why).toEqual(["TENANCY_NOT_VERIFIED"]);
  expect(actions(await project.plan(removed, { only }))).toEqual([jack]);
  const destroyed = await project.plan(broken, { destroy: true, only: ["jane@acme"] });
  expect(actions(destroyed)).toEqual(["delete tenancy_user_profile.acme_jane"]);
});

test("users are deleted before their account, be they removed by name or with it", async () => {
  const project = await start();
  await project.apply(together(tenant("acme", ["jane", "joe"]), tenant("globex")));
  const build = together(tenant("globex"), (stack) => {
    new Deletion(stack, "jane", { login: "jane@acme" });
    new Deletion(stack, "acme", { account: "acme" });
  });
  expect(actions(await project.plan(build, RECKLESS))).toEqual([
    'delete tenancy_user_profile.undeclared["jane@acme"]',
    'delete tenancy_user_profile.undeclared["joe@acme"]',
    'delete tenancy_account.undeclared["acme"]',
  ]);
  await project.apply(build, RECKLESS);
  const again = await project.plan(build);
  expect([actions(again), codes(again.warnings)]).toEqual([
    [],
    ["TENANCY_REMOVAL_DONE", "TENANCY_REMOVAL_DONE"],
  ]);
});

describe("several providers of a stack", () => {
  /** The tenant acme through the first provider, and tenants through another one. */
  const through =
    (users: readonly string[], config: object, name: string, others: readonly string[]): Build =>
    (stack) => {
      tenant("acme", [...users])(stack);
      const provider = new TenancyProvider(stack, "second", { alias: "second", ...config });
      const account = new Account(stack, name, { name, permissions: {}, provider });
      for (const username of others)
        new UserProfile(stack, `other_${username}`, {
          username,
          accountId: account.id,
          permissions: {},
          provider,
        });
    };

  test("at services of their own do not keep each other's records, though these have the same ids", async () => {
    const project = await start();
    const other = await start();
    const config = { owner: "acme-platform", baseUrl: other.service.baseUrl };
    const build = (users: readonly string[], others: readonly string[]) =>
      through(users, config, "globex", others);
    await project.apply(build(["jane", "joe"], ["jane", "joe"]));
    const { id } = project.service.records.profile("joe@acme");
    expect(other.service.records.profile("joe@globex").id).toBe(id);
    expect(actions(await project.plan(build(["jane"], ["jane", "joe"])))).toEqual([
      'delete tenancy_user_profile.undeclared["joe@acme"]',
    ]);
    expect(actions(await project.plan(build(["jane", "joe"], ["jane"])))).toEqual([
      'delete tenancy_user_profile.undeclared["joe@globex"]',
    ]);
  });
});
