/** The guards in whole runs: covers src/plan/guards.ts, src/service/list-completeness.ts and src/engine/diff/unseen.ts. */
import {
  Account,
  Authorization,
  Permissions,
  TenancyProvider,
  Tenant,
  UserProfile,
  type UserProps,
} from "tenancy";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { apply, close, drift, savePlan } from "../../src/engine";
import { paint, planText } from "../../src/render/text";
import {
  actions,
  codes,
  failures,
  findings,
  projects,
  writes,
  type Build,
  type Project,
} from "../support/projects";
import { exactly } from "../support/rights";

const start = projects();

const none = Permissions.none();
const tenant =
  (name: string, users: readonly string[] = [], more: object = {}): Build =>
  (stack) => {
    new Tenant(stack, name, {
      name,
      users: Object.fromEntries(users.map((user) => [user, { permissions: none }])),
      ...more,
    });
  };
const users = (count: number): readonly string[] =>
  Array.from({ length: count }, (_unused, index) => `user${index}`);
const empty: Build = () => undefined;

/** Nothing but log-ins and reads was sent by the last plan. */
async function refusal(project: Project, promise: Promise<unknown>): Promise<readonly string[]> {
  const before = project.service.requests.length;
  const found = codes(await findings(promise));
  expect(writes(project.service.requests.slice(before))).toEqual([]);
  return found;
}

describe("lists that are not whole", () => {
  test("create nothing and delete nothing: the caller is not in them", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane", "joe", "jack"]));
    const system = project.service.records.account("system").id;
    project.service.fail({ path: "/api/account", times: 9, alter: without((one) => one.id === system) });
    const changed = tenant("acme", ["jane", "joe", "jill"]);
    expect(await refusal(project, project.plan(changed))).toContain("TENANCY_INCOMPLETE_LISTS");
  });

  test("create nothing and delete nothing: the account of a profile is not in them", async () => {
    const project = await start();
    project.service.records.createAccount({ name: "initech" });
    await project.apply(tenant("acme", ["jane", "joe", "jack"]));
    const initech = project.service.records.account("initech").id;
    project.service.fail({ path: "/api/account", times: 9, alter: without((one) => one.id === initech) });
    const changed = tenant("acme", ["jane", "joe"]);
    expect(await refusal(project, project.plan(changed))).toContain("TENANCY_INCOMPLETE_LISTS");
  });

  test("create nothing: the profile of an account is not in them", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane"]));
    const primary = project.service.records.profile("acme").id;
    project.service.fail({
      path: "/api/user-profile",
      times: 9,
      alter: without((one) => one.id === primary),
    });
    expect(await refusal(project, project.plan(tenant("acme", ["jane", "joe"])))).toContain(
      "TENANCY_INCOMPLETE_LISTS",
    );
  });

  test("let what is listed be changed", async () => {
    const project = await start();
    project.service.records.createAccount({ name: "initech" });
    await project.apply(tenant("acme", ["jane"]));
    const initech = project.service.records.account("initech").id;
    project.service.fail({ path: "/api/account", times: 9, alter: without((one) => one.id === initech) });
    const changed = tenant("acme", ["jane"], { limits: { vssNum: 7 } });
    expect(actions(await project.plan(changed))).toEqual(["update tenancy_account.acme"]);
  });
});

function without(matches: (record: { readonly id: string }) => boolean): (body: unknown) => unknown {
  return (body) =>
    Array.isArray(body) ? body.filter((record: { readonly id: string }) => !matches(record)) : body;
}

describe("what a caller cannot see", () => {
  const asUser = async (project: Project, rights: Permissions) => {
    project.service.records.createAccount({ name: "ops" });
    project.service.records.createProfile("ops", {
      username: "deployer",
      password: "secret",
      ...exactly(rights),
    });
    return { environment: { TENANCY_USERNAME: "deployer@ops", TENANCY_PASSWORD: "secret" } };
  };

  test("is not created as if it were absent: an account without realm.manage_accounts", async () => {
    const project = await start();
    const options = await asUser(project, Permissions.accountAdmin());
    expect(await refusal(project, project.run(tenant("acme"), options))).toContain("TENANCY_NOT_VERIFIED");
  });

  test("is not created as if it were absent: a user in an account that is not listed", async () => {
    const project = await start();
    const { id } = project.service.records.createAccount({ name: "acme" });
    const options = await asUser(project, Permissions.accountAdmin());
    const build: Build = (stack) =>
      void new UserProfile(stack, "jane", { username: "jane", accountId: id, permissions: {} });
    expect(await refusal(project, project.run(build, options))).toContain("TENANCY_NOT_VERIFIED");
  });

  describe("is not verified, also the token of a user whom it does not see", () => {
    const machine = { loginWith: "temporary_password" as const };
    const build =
      (loginOf: (user: UserProfile) => string): Build =>
      (stack) => {
        const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
        const csi = new UserProfile(stack, "csi", { username: "csi", accountId: acme.id, permissions: {} });
        const login = loginOf(csi);
        new Authorization(stack, "prod", { login, name: "prod", dependsOn: [csi], ...machine });
      };
    const literal = build(() => "csi@acme");
    const referred = build((csi) => csi.login);
    const MAY_EXIST = expect.stringMatching(/^not verified: may exist: .*realm\.manage_accounts/) as string;

    test.each([
      ["that is called by its login", literal],
      ["that refers to its user", referred],
    ])("%s", async (_how, declared) => {
      const project = await start();
      await project.apply(declared);
      const options = await asUser(project, Permissions.accountAdmin());
      const { changes } = await project.plan(declared, options);
      expect(changes.map(({ notes }) => notes).slice(0, 2)).toEqual([[MAY_EXIST], [MAY_EXIST]]);
      expect(changes[2]).toMatchObject({ action: "none", notes: [] });
      const source = project.synthesize(declared);
      const found = (await drift(source, project.options(options))).drift;
      expect(found.map(({ kind }) => kind)).not.toContain("deleted");
      expect(found).toHaveLength(2);
      expect(found.map(({ remark }) => remark)).toEqual(found.map(() => MAY_EXIST));
    });

    test("that nobody declares any more", async () => {
      const project = await start();
      await project.apply(literal);
      const options = await asUser(project, Permissions.accountAdmin());
      const source = project.synthesize(empty);
      const found = (await drift(source, project.options(options))).drift;
      expect(found.map(({ title, kind }) => `${kind} ${title}`)).toEqual([
        "declared csi@acme/prod",
        "unclassified acme",
        "unclassified csi@acme",
      ]);
    });
  });

  test("is created all the same where nobody can know what the caller may do", async () => {
    const project = await start({ describeCaller: { permissions: false, user: false } });
    const { id } = project.service.records.createAccount({ name: "ops" });
    const token = project.service.records.createToken("system").access_token;
    const environment = { TENANCY_TOKEN: token };
    const build: Build = (stack) =>
      void new UserProfile(stack, "jane", { username: "jane", accountId: id, permissions: {} });
    expect(actions(await project.plan(build, { environment }))).toEqual(["create tenancy_user_profile.jane"]);
  });
});

describe("a serial number in place of an account's id", () => {
  const user =
    (accountId: (account: Account) => string): Build =>
    (stack) => {
      const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
      new UserProfile(stack, "jane", { username: "jane", accountId: accountId(acme), permissions: {} });
    };

  test("is refused at the plan where it is known, and creates nothing where only the apply knows it", async () => {
    const project = await start();
    const { result, requests } = await project.run(user(({ serial }) => serial));
    expect(codes(failures(result))).toEqual(["TENANCY_INVALID_VALUE"]);
    expect(writes(requests)).toEqual(["POST /api/account"]);
    expect(await refusal(project, project.plan(user(({ serial }) => serial)))).toEqual([
      "TENANCY_INVALID_VALUE",
    ]);
    await project.apply(user(({ id }) => id));
    const { serial } = project.service.records.account("acme");
    expect(await refusal(project, project.plan(user(() => serial)))).toEqual(["TENANCY_INVALID_VALUE"]);
  });
});

describe("accounts", () => {
  const protectedOne = tenant("acme", ["jane", "joe"]);
  const free = tenant("acme", ["jane", "joe"], { deletionProtection: false });

  test("are not destroyed while deletion_protection is on", async () => {
    const project = await start();
    await project.apply(protectedOne);
    expect(await refusal(project, project.plan(protectedOne, { destroy: true }))).toEqual([
      "TENANCY_ACCOUNT_DELETION",
    ]);
    expect(await findings(project.plan(protectedOne, { destroy: true }))).toMatchObject([
      {
        advice:
          "If that is intended: apply `deletionProtection: false` first, or pass --allow-account-deletion=acme.",
      },
    ]);
  });

  test("are destroyed once it is off", async () => {
    const project = await start();
    await project.apply(free);
    await project.apply(free, { destroy: true });
    expect(project.service.records.accounts.map(({ name }) => name)).toEqual(["system"]);
  });

  test("are destroyed where the run allows it", async () => {
    const project = await start();
    await project.apply(protectedOne);
    await project.apply(protectedOne, { destroy: true, allowAccountDeletion: ["acme"] });
    expect(project.service.records.accounts.map(({ name }) => name)).toEqual(["system"]);
  });

  test("that hold storage are not deleted", async () => {
    const project = await start();
    await project.apply(free);
    project.service.records.setUsage("acme", { vss_num: 2 });
    expect(await refusal(project, project.plan(free, { destroy: true }))).toEqual([
      "TENANCY_ACCOUNT_NOT_EMPTY",
    ]);
    await project.apply(free, { destroy: true, allowNonempty: true });
  });

  test("whose usage cannot be read are not deleted", async () => {
    const project = await start();
    await project.apply(free);
    project.service.fail({ path: /usage$/, times: 9, alter: () => ({ vss_num: 0 }) });
    expect(await refusal(project, project.plan(free, { destroy: true }))).toEqual([
      "TENANCY_ACCOUNT_NOT_EMPTY",
    ]);
  });

  test("with users of others are not deleted", async () => {
    const project = await start();
    await project.apply(free);
    project.service.records.createProfile("acme", { username: "byhand" });
    expect(await refusal(project, project.plan(free, { destroy: true }))).toEqual([
      "TENANCY_ACCOUNT_NOT_EMPTY",
    ]);
    const nonempty = tenant("acme", ["jane", "joe"], {
      deletionProtection: false,
      allowNonemptyDelete: true,
    });
    await project.apply(nonempty, { destroy: true });
    expect(project.service.records.accounts.map(({ name }) => name)).toEqual(["system"]);
  });

  test("name everybody whom they take along, in the text and in JSON", async () => {
    const project = await start();
    await project.apply(free);
    project.service.records.createProfile("acme", { username: "byhand" });
    const made = await project.plan(free, { destroy: true, allowNonempty: true });
    expect(planText(made, paint(false))).toMatch(/^ +- .*byhand@acme/m);
    expect(made.deletedWithAccount).toMatchObject([
      { action: "delete", key: "byhand@acme", claim: "unmanaged" },
    ]);
    expect(savePlan(made)).toContain("byhand@acme");
    await close(made);
  });

  test("keep all that is in them where a user came after the plan, whatever is allowed", async () => {
    const project = await start();
    await project.apply(free);
    const made = await project.plan(free, { destroy: true, allowNonempty: true });
    project.service.records.createProfile("acme", { username: "late" });
    const result = await apply(made);
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_PLAN_OUTDATED"]);
    expect(JSON.stringify(result.failed[0]?.diagnostics)).toContain("the user late@acme has come into it");
    expect(result.notTried.map(({ key }) => key).sort()).toEqual(["jane@acme", "joe@acme"]);
    expect(project.service.records.profile("late@acme")).toBeDefined();
  });

  test("stay where a user came while what is in them was deleted, whatever is allowed", async () => {
    const project = await start();
    await project.apply(free);
    const made = await project.plan(free, { destroy: true, allowNonempty: true });
    const { records } = project.service;
    // The run reads each user once more right before the user's delete: by then it has looked into the account.
    project.service.fail({
      path: /user_profile:/,
      alter: (body) => {
        records.createProfile("acme", { username: "late" });
        return body;
      },
    });
    const result = await apply(made);
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_PLAN_OUTDATED"]);
    expect(records.profile("late@acme")).toBeDefined();
  });

  test("that came to hold storage after the plan keep all that is in them", async () => {
    const project = await start();
    await project.apply(free);
    const ahead = project.service;
    let asked = 0;
    ahead.fail({
      path: /usage$/,
      times: 9,
      alter: (body) => (asked++ === 0 ? body : { ...(body as object), vdisk_num: 1 }),
    });
    const { result, requests } = await project.run(free, { destroy: true });
    expect(result.ok).toBe(false);
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual([
      "TENANCY_ACCOUNT_NOT_EMPTY",
    ]);
    expect(result.notTried.map(({ key }) => key).sort()).toEqual(["jane@acme", "joe@acme"]);
    expect(writes(requests)).toEqual([]);
  });

  test("are not deleted around users of ours that the run leaves out", async () => {
    const project = await start();
    const build: Build = (stack) => {
      const acme = new Account(stack, "acme", { name: "acme", permissions: {}, deletionProtection: false });
      new UserProfile(stack, "jane", { username: "jane", accountId: acme.id, permissions: {} });
    };
    await project.apply(build);
    const options = { destroy: true, exclude: ["tenancy_user_profile.jane"] };
    expect(actions(await project.plan(build, options))).toEqual([]);
    const only = { destroy: true, only: ["tenancy_account.acme"] };
    expect(actions(await project.plan(build, only))).toEqual([
      "delete tenancy_user_profile.jane",
      "delete tenancy_account.acme",
    ]);
  });
});

describe("how much may cease at once", () => {
  test("is five records, or a quarter of what is ours up to twenty-five", async () => {
    const project = await start();
    await project.apply(tenant("acme", users(30)));
    // 32 records are ours: the account, its primary user and thirty others.
    expect(await refusal(project, project.plan(tenant("acme", users(21))))).toEqual([
      "TENANCY_TOO_MANY_DELETES",
    ]);
    expect(actions(await project.plan(tenant("acme", users(22))))).toHaveLength(8);
    expect(actions(await project.plan(tenant("acme", users(21)), { maxDeletes: 9 }))).toHaveLength(9);
    expect(await refusal(project, project.plan(tenant("acme", users(22)), { maxDeletes: 7 }))).toEqual([
      "TENANCY_TOO_MANY_DELETES",
    ]);
  });

  test("includes records that cease with their account", async () => {
    const project = await start();
    const rest = tenant("rest", users(8));
    const both: Build = (stack) => [tenant("acme", users(4)), rest].forEach((build) => build(stack));
    await project.apply(both);
    // The account, its primary user and four others.
    expect(await refusal(project, project.plan(rest, { allowAccountDeletion: true }))).toEqual([
      "TENANCY_TOO_MANY_DELETES",
    ]);
    const options = { allowAccountDeletion: true, maxDeletes: 6 };
    expect(actions(await project.plan(rest, options))).toHaveLength(5);
    project.service.records.createProfile("acme", { username: "stranger" });
    expect(await refusal(project, project.plan(rest, { ...options, allowNonempty: true }))).toEqual([
      "TENANCY_TOO_MANY_DELETES",
    ]);
  });

  test("is nothing for a stack that declares nothing, unless it is told how much", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane"]));
    expect(await refusal(project, project.plan(empty, { allowAccountDeletion: true }))).toEqual([
      "TENANCY_TOO_MANY_DELETES",
    ]);
    const options = { allowAccountDeletion: true, maxDeletes: 3 };
    expect(actions(await project.plan(empty, options))).toHaveLength(2);
  });

  test("is not over half of what is ours", async () => {
    const project = await start();
    await project.apply(tenant("acme", ["jane", "joe", "jack"]));
    expect(await refusal(project, project.plan(tenant("acme")))).toEqual(["TENANCY_TOO_MANY_DELETES"]);
    expect(actions(await project.plan(tenant("acme"), { maxDeletes: 3 }))).toHaveLength(3);
  });

  test("is not limited for destroy", async () => {
    const project = await start();
    const build = tenant("acme", users(8), { deletionProtection: false });
    await project.apply(build);
    expect(actions(await project.plan(build, { destroy: true }))).toHaveLength(9);
  });
});

describe("the run itself", () => {
  /** The stack's own deployer, an administrator in an account that the stack declares. */
  const admin = Permissions.accountAdmin().allow("realm.manage_accounts", "realm.can_switch_user");
  const withDeployer =
    (deployer: object | undefined, more: object = {}): Build =>
    (stack) => {
      const users: Record<string, UserProps> = {
        ...(deployer !== undefined && { deployer: { permissions: admin, ...deployer } }),
        other: { permissions: none },
        third: { permissions: none },
      };
      new Tenant(stack, "ops", { name: "ops", permissions: none, ...more, users });
    };
  const prepared = async () => {
    const project = await start();
    await project.apply(withDeployer({}));
    project.service.records.patchProfile("deployer@ops", { password: "secret" });
    const options = { environment: { TENANCY_USERNAME: "deployer@ops", TENANCY_PASSWORD: "secret" } };
    return { project, options };
  };

  test.each([
    ["is not deleted", undefined],
    ["keeps realm.manage_accounts", { permissions: Permissions.accountAdmin() }],
    ["keeps user.manage_users", { permissions: admin.deny("user.manage_users") }],
    ["keeps its API access", { access: { api: false } }],
    ["keeps its level", { level: 4 }],
    ["keeps its second factor", { twoFactor: { auth: "google" } }],
  ])("%s", async (_title, deployer) => {
    const { project, options } = await prepared();
    expect(await refusal(project, project.plan(withDeployer(deployer), options))).toEqual([
      "TENANCY_SELF_CHANGE",
    ]);
    const allowed = await project.plan(withDeployer(deployer), { ...options, allowSelfChange: true });
    expect(actions(allowed)).toHaveLength(1);
  });

  test("may get another e-mail address, a recovery address and more rights", async () => {
    const { project, options } = await prepared();
    const build = withDeployer({
      email: "deployer@ops.example",
      permissions: admin.allow("realm.view_logs"),
      twoFactor: { securityEmail: "rescue@ops.example" },
    });
    expect(actions(await project.plan(build, options))).toEqual(["update tenancy_user_profile.ops_deployer"]);
  });

  test("keeps its password, unless another user's is meant", async () => {
    const { project, options } = await prepared();
    const build: Build = (stack) => {
      withDeployer({})(stack);
      stack.addOverride("variable.pw", { type: "string", sensitive: true });
      for (const user of ["deployer", "other"])
        stack.addOverride(`resource.tenancy_user_profile.ops_${user}.password_wo`, "${var.pw}");
    };
    const versioned =
      (who: string): Build =>
      (stack) => {
        build(stack);
        stack.addOverride(`resource.tenancy_user_profile.ops_${who}.password_wo_version`, 7);
      };
    const given = { ...options, environment: { ...options.environment, TF_VAR_pw: "new secret" } };
    const reset = { ...given, resetPasswords: true };
    expect(await refusal(project, project.plan(versioned("deployer"), reset))).toEqual([
      "TENANCY_SELF_CHANGE",
    ]);
    expect(actions(await project.plan(versioned("other"), reset))).toEqual([
      "update tenancy_user_profile.ops_other",
    ]);
  });

  test("keeps what the primary user profile has, where it is that one", async () => {
    const project = await start();
    const build =
      (more: object): Build =>
      (stack) => {
        new Tenant(stack, "ops", { name: "ops", permissions: admin, access: { api: true }, ...more });
      };
    await project.apply(build({}));
    project.service.records.patchProfile("ops", { password: "secret" });
    const options = { environment: { TENANCY_USERNAME: "ops", TENANCY_PASSWORD: "secret" } };
    for (const harm of [{ permissions: none }, { access: { api: false } }, { level: 3 }])
      expect(await refusal(project, project.plan(build(harm), options))).toContain("TENANCY_SELF_CHANGE");
    expect(actions(await project.plan(build({ limits: { vssNum: 3 } }), options))).toHaveLength(1);
  });

  test("keeps its account", async () => {
    const { project, options } = await prepared();
    const destroyed = project.plan(withDeployer({}, { deletionProtection: false }), {
      ...options,
      destroy: true,
    });
    expect(await refusal(project, destroyed)).toContain("TENANCY_SELF_CHANGE");
  });

  test("counts every user of its account as itself, where a token does not tell who it is", async () => {
    const project = await start({ describeCaller: { permissions: true, user: false } });
    await project.apply(withDeployer({}));
    const token = project.service.records.createToken("deployer@ops").access_token;
    const options = { environment: { TENANCY_TOKEN: token } };
    const harmless: Build = withDeployer({ email: "deployer@ops.example" });
    expect(actions(await project.plan(harmless, options))).toHaveLength(1);
    const other: Build = (stack) => {
      withDeployer({})(stack);
      stack.addOverride("resource.tenancy_user_profile.ops_other.level", 5);
    };
    expect(await refusal(project, project.plan(other, options))).toEqual(["TENANCY_SELF_CHANGE"]);
    expect(actions(await project.plan(other, { ...options, allowSelfChange: true }))).toHaveLength(1);
  });
});

describe("the run itself, with a provider alias of its own user", () => {
  const admin = Permissions.accountAdmin();
  /** The first provider declares the user whom the second one works as. */
  const build =
    (bot: object | undefined, alias?: object): Build =>
    (stack) => {
      const others = { other: { permissions: none }, third: { permissions: none } };
      new Tenant(stack, "acme", {
        name: "acme",
        permissions: none,
        users: { ...others, ...(bot !== undefined && { bot: { permissions: admin, ...bot } }) },
        tokens: { other: { user: "other" }, ...(bot !== undefined && { ci: { user: "bot" } }) },
      });
      if (alias === undefined) return;
      const provider = new TenancyProvider(stack, "bot", { alias: "bot", owner: "acme-bots", ...alias });
      new UserProfile(stack, "kim", { username: "kim", permissions: {}, provider });
    };
  const prepared = async () => {
    const project = await start();
    await project.apply(build({}));
    project.service.records.patchProfile("bot@acme", { password: "secret" });
    return project;
  };

  test.each([
    ["is not deleted", undefined, "deletes it"],
    ["keeps its rights", { permissions: none }, "takes its right user.manage_users"],
    ["keeps its API access", { access: { api: false } }, "takes its API access"],
  ])("%s", async (_title, bot, harm) => {
    const project = await prepared();
    const alias = { username: "bot@acme", password: "secret" };
    const [found] = await findings(project.plan(build(bot, alias)));
    expect(found).toMatchObject({
      code: "TENANCY_SELF_CHANGE",
      summary: `the run works with "bot@acme" through tenancy.bot, and this ${harm}`,
    });
    const allowed = await project.plan(build(bot, alias), { allowSelfChange: true });
    expect(actions(allowed)).toContain("create tenancy_user_profile.kim");
  });

  test("keeps a token that the state holds for the first provider's owner", async () => {
    const project = await prepared();
    const { parts } = JSON.parse(await readState(project)) as Kept;
    const { record } = parts[0]!.tokens.find(({ login }) => login === "bot@acme")!;
    const withoutToken: Build = (stack) => {
      build({}, { token: record.access_token })(stack);
      stack.addOverride("resource.tenancy_authorization.acme_ci", undefined);
    };
    expect(await findings(project.plan(withoutToken))).toMatchObject([
      {
        code: "TENANCY_SELF_CHANGE",
        summary: 'the run works with "bot@acme/ci" through tenancy.bot, and this revokes it',
      },
    ]);
  });
});

describe("the run's own token", () => {
  const withToken =
    (token: object | undefined): Build =>
    (stack) => {
      new Tenant(stack, "ops", {
        name: "ops",
        users: {
          deployer: { permissions: Permissions.accountAdmin().allow("realm.manage_accounts") },
          other: { permissions: none },
        },
        ...(token !== undefined && { tokens: { ci: { user: "deployer", ...token } } }),
      });
    };
  const prepared = async () => {
    const project = await start();
    const { result } = await project.apply(withToken({}));
    expect(result.ok).toBe(true);
    const state = JSON.parse(await readState(project)) as Kept;
    const token = state.parts[0]?.tokens[0]?.record.access_token ?? "";
    return { project, options: { environment: { TENANCY_TOKEN: token } } };
  };

  test("is not revoked as undeclared", async () => {
    const { project, options } = await prepared();
    expect(await refusal(project, project.plan(withToken(undefined), options))).toEqual([
      "TENANCY_SELF_CHANGE",
    ]);
  });

  test("is not rotated without overlap", async () => {
    const { project, options } = await prepared();
    for (const retention of [{ retainPreviousFor: "0s" }, { retainPrevious: 0 }]) {
      const build = withToken({ keepers: { week: "2" }, ...retention });
      expect(await refusal(project, project.plan(build, options))).toContain("TENANCY_SELF_CHANGE");
    }
  });

  test("may be rotated with overlap", async () => {
    const { project, options } = await prepared();
    const build = withToken({ keepers: { week: "2" } });
    const { changes } = await project.plan(build, { ...options, allowSelfChange: false });
    expect(changes.filter(({ action }) => action === "update")).toHaveLength(1);
  });
});

interface Kept {
  readonly parts: readonly {
    readonly tokens: readonly {
      readonly login: string;
      readonly record: { readonly access_token: string };
    }[];
  }[];
}

async function readState(project: Project): Promise<string> {
  return readFile(project.state, "utf8");
}

test("prevent_destroy keeps an object from being destroyed", async () => {
  const project = await start();
  const build: Build = (stack) => {
    const account = new Account(stack, "acme", { name: "acme", permissions: {}, deletionProtection: false });
    const jane = new UserProfile(stack, "jane", { username: "jane", accountId: account.id, permissions: {} });
    jane.lifecycle = { preventDestroy: true };
  };
  await project.apply(build);
  expect(await refusal(project, project.plan(build, { destroy: true }))).toEqual(["TENANCY_PREVENT_DESTROY"]);
});

test("provider aliases of one service share one limit, whoever works through them", async () => {
  const project = await start();
  const build =
    (count: number, caller: object): Build =>
    (stack) => {
      tenant("acme", users(count))(stack);
      const alias = { alias: "beta", owner: "beta-platform", ...caller };
      const provider = new TenancyProvider(stack, "as-beta", alias);
      tenant("beta", users(count), { provider })(stack);
    };
  await project.apply(build(12, {}));
  project.service.records.patchProfile("beta", { password: "secret" });
  for (const caller of [{}, { username: "beta", password: "secret" }]) {
    // 28 records are ours: at most 7 go unasked.
    const tooMany = project.plan(build(7, caller));
    expect(await refusal(project, tooMany)).toEqual(["TENANCY_TOO_MANY_DELETES"]);
    expect(actions(await project.plan(build(9, caller)))).toHaveLength(6);
  }
});

describe("an input that cannot be read", () => {
  test("stops every delete: the second service is down", async () => {
    const project = await start();
    const second = await start();
    const { baseUrl } = second.service;
    const stack =
      (names: readonly string[]): Build =>
      (scope) => {
        const alias = { alias: "second", owner: "acme", baseUrl, retryTimeout: "0s" };
        const provider = new TenancyProvider(scope, "second", alias);
        for (const name of names) new Tenant(scope, name, { name });
        new Account(scope, "other", { name: "other", permissions: {}, provider });
      };
    await project.apply(stack(["acme", "globex", "initech"]));
    second.service.fail({ status: 503, times: 99 });
    const refused = await findings(project.plan(stack(["acme", "globex"]), { allowAccountDeletion: true }));
    expect(codes(refused)).toEqual(["TENANCY_API_BUSY"]);
  });

  test("stops the plan: a corrupt state", async () => {
    const project = await start();
    await mkdir(`${project.folder}/.tenancy`);
    await writeFile(project.state, "{", { mode: 0o600 });
    expect(codes(await findings(project.plan(tenant("acme"))))).toEqual(["TENANCY_STATE_CORRUPT"]);
  });
});

test("an unmanaged token resource still needs its user", async () => {
  const project = await start();
  const build: Build = (stack) => void new Authorization(stack, "t", { name: "t", login: "nobody@nowhere" });
  expect(codes(await findings(project.plan(build)))).toEqual(["TENANCY_TOKEN_CREATION_IMPOSSIBLE"]);
});
