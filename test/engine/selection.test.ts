/** `--only` and `--exclude` in whole runs: covers src/engine/load/selection.ts. */
import { Account, Authorization, Permissions, TenancyProvider, Tenant, UserProfile } from "tenancy";
import { TerraformIterator } from "cdktf";
import { actions, codes, findings, projects, writes, type Build } from "../support/projects";
import { kept } from "./tokens/support";

const start = projects();
const none = Permissions.none();

const two =
  (limit = 1, users: readonly string[] = ["jane", "joe", "jack"]): Build =>
  (stack) => {
    for (const name of ["acme", "globex"])
      new Tenant(stack, name, {
        name,
        limits: { vssNum: limit },
        users: Object.fromEntries(users.map((user) => [user, { permissions: none }])),
      });
  };

test("--only takes what is named and what that depends on", async () => {
  const project = await start();
  const { plan } = await project.apply(two(), { only: ["tenancy_user_profile.acme_jane"] });
  expect(actions(plan)).toEqual(["create tenancy_account.acme", "create tenancy_user_profile.acme_jane"]);
});

test("--exclude leaves out what is named and what depends on it", async () => {
  const project = await start();
  const { plan } = await project.apply(two(), { exclude: ["tenancy_account.acme"] });
  expect([...actions(plan)].sort()).toEqual([
    "create tenancy_account.globex",
    "create tenancy_user_profile.globex_jack",
    "create tenancy_user_profile.globex_jane",
    "create tenancy_user_profile.globex_joe",
  ]);
});

test("nothing is pruned outside the selection, nor listed as undeclared", async () => {
  const project = await start();
  await project.apply(two());
  const fewer = two(2, ["jane", "joe"]);
  for (const options of [{ only: ["tenancy_account.acme"] }, { exclude: ["tenancy_account.globex"] }]) {
    const plan = await project.plan(fewer, { ...options, allowAccountDeletion: true });
    expect(actions(plan)).toEqual(["update tenancy_account.acme"]);
    expect(plan.retained).toEqual([]);
  }
});

test("what is undeclared is pruned where it is named", async () => {
  const project = await start();
  await project.apply(two());
  const only = ['tenancy_user_profile.undeclared["jack@acme"]'];
  const { plan } = await project.apply(two(1, ["jane", "joe"]), { only });
  expect(actions(plan)).toEqual(['delete tenancy_user_profile.undeclared["jack@acme"]']);
});

test("a user whose account stays does not go with it", async () => {
  const project = await start();
  await project.apply(two());
  const reasons = async (only: readonly string[]) => {
    const plan = await project.plan(two(), { destroy: true, only, allowAccountDeletion: true });
    return plan.changes.map(({ address, reason }) => [address, reason]);
  };
  const jane = "tenancy_user_profile.acme_jane";
  expect(await reasons([jane])).toEqual([[jane, "destroy"]]);
  expect(await reasons(["tenancy_account.acme"])).toContainEqual([jane, "cascade"]);
});

test("a token is revoked with its user, or with the user's account, where only that is named, and counts", async () => {
  const project = await start();
  const build =
    (users: readonly string[], tokens: boolean): Build =>
    (stack) => {
      const permissions = none;
      const acme = new Tenant(stack, "acme", {
        name: "acme",
        permissions,
        users: Object.fromEntries(users.map((user) => [user, { permissions }])),
      });
      acme.account.addOverride("deletion_protection", false);
      if (!tokens) return;
      for (const login of ["acme", "csi@acme", "jane@acme"])
        new Authorization(stack, login.slice(0, -5) + "x", {
          name: "prod",
          login,
          loginWith: "temporary_password",
        });
    };
  const all = ["csi", "jane", "joe", "jack"];
  await project.apply(build(all, true), { initState: true });
  const destroy = { destroy: true, maxDeletes: 99 };
  const deleted = async (made: Build, options: object) =>
    (await project.plan(made, options)).changes.map(({ key, reason }) => [key, reason]);
  expect(await deleted(build(all, true), { ...destroy, only: ["csi@acme"] })).toEqual([
    ["csi@acme/prod", "destroy"],
    ["csi@acme", "destroy"],
  ]);
  expect(
    (await deleted(build(all, true), { ...destroy, only: ["acme"] })).map(([key]) => key).sort(),
  ).toEqual([
    "acme",
    "acme/prod",
    "csi@acme",
    "csi@acme/prod",
    "jack@acme",
    "jane@acme",
    "jane@acme/prod",
    "joe@acme",
  ]);
  const fewer = build(all.slice(1), false);
  const only = ["csi@acme"];
  expect(codes(await findings(project.plan(fewer, { only, maxDeletes: 1 })))).toEqual([
    "TENANCY_TOO_MANY_DELETES",
  ]);
  expect(await deleted(fewer, { only })).toEqual([
    ["csi@acme/prod", "undeclared"],
    ["csi@acme", "undeclared"],
  ]);
  await project.apply(fewer, { only });
  expect((await kept(project)).tokens.map(({ login }) => login)).toEqual(["acme", "jane@acme"]);
});

test("an account that is named does not take along a user of ours who is not", async () => {
  const project = await start();
  await project.apply(two());
  const only = ["tenancy_account.acme"];
  const options = { destroy: true, only, allowAccountDeletion: true, maxDeletes: 99 };
  expect(codes(await findings(project.plan(two(1, ["jane", "joe"]), options)))).toEqual([
    "TENANCY_ACCOUNT_NOT_EMPTY",
  ]);
});

test("a user who is named takes along no token of the same login at another service", async () => {
  const [project, second] = [await start(), await start()];
  const build: Build = (stack) => {
    const alias = { alias: "second", owner: "acme-platform", baseUrl: second.service.baseUrl };
    const there = { provider: new TenancyProvider(stack, "second", alias) };
    for (const [where, at] of [["here", {}] as const, ["there", there] as const]) {
      const account = new Account(stack, where, { name: "acme", permissions: {}, ...at });
      const user = { accountId: account.id, username: "csi", permissions: {}, ...at };
      new UserProfile(stack, `${where}_csi`, user);
      const token = { name: "prod", login: "csi@acme", loginWith: "temporary_password", ...at };
      new Authorization(stack, `${where}_prod`, token);
    }
  };
  await project.apply(build, { initState: true });
  const plan = await project.plan(build, { destroy: true, only: ["tenancy_user_profile.here_csi"] });
  expect(actions(plan)).toEqual([
    "delete tenancy_authorization.here_prod",
    "delete tenancy_user_profile.here_csi",
  ]);
});

test("what is declared is not pruned as undeclared, whatever is named", async () => {
  const project = await start();
  await project.apply(two());
  const only = ['tenancy_user_profile.undeclared["jack@acme"]'];
  expect(actions(await project.plan(two(), { only }))).toEqual([]);
});

test("nothing is pruned where what was left out cannot be evaluated", async () => {
  const project = await start();
  await project.apply(two());
  const broken: Build = (stack) => {
    two(1, ["jane", "joe"])(stack);
    const jack = new UserProfile(stack, "jack", { username: "jack", accountId: "x", permissions: {} });
    jack.addOverride("account_id", '${file("nowhere")}');
  };
  const only = ['tenancy_user_profile.undeclared["jack@acme"]'];
  expect(codes(await findings(project.plan(broken, { only })))).toEqual(["TENANCY_NOT_VERIFIED"]);
  expect(actions(await project.plan(broken, { only: ["tenancy_account.acme"] }))).toEqual([]);
});

test("a block is named with all of its instances, or some of them by their keys", async () => {
  const project = await start();
  const build: Build = (stack) => {
    const names = TerraformIterator.fromList(["eu", "us"]);
    new Account(stack, "region", { forEach: names, name: `acme-${names.value}`, permissions: {} });
  };
  const of = async (options: object) => actions(await project.plan(build, options));
  expect(await of({ only: ["tenancy_account.region"] })).toHaveLength(2);
  expect(await of({ only: ['tenancy_account.region["eu"]'] })).toEqual([
    'create tenancy_account.region["eu"]',
  ]);
  expect(await of({ exclude: ['tenancy_account.region["eu"]'] })).toEqual([
    'create tenancy_account.region["us"]',
  ]);
});

test("a login, an account's name or a token's will do in place of an address", async () => {
  const project = await start();
  const of = async (options: object) => [...actions(await project.plan(two(), options))].sort();
  expect(await of({ only: ["jane@acme"] })).toEqual([
    "create tenancy_account.acme",
    "create tenancy_user_profile.acme_jane",
  ]);
  expect(await of({ exclude: ["acme", "jack@globex"] })).toEqual([
    "create tenancy_account.globex",
    "create tenancy_user_profile.globex_jane",
    "create tenancy_user_profile.globex_joe",
  ]);
  const tokens: Build = (stack) => {
    const tenant = { name: "acme", users: { csi: { permissions: none } } };
    new Tenant(stack, "acme", { ...tenant, tokens: { prod: { user: "csi" }, test: { user: "csi" } } });
  };
  const plan = await project.plan(tokens, { only: ["csi@acme/prod"] });
  expect(plan.changes.map(({ address }) => address)).toContain("tenancy_authorization.acme_prod");
  expect(plan.changes.map(({ address }) => address)).not.toContain("tenancy_authorization.acme_test");
});

test("a user who is no longer declared is named by the login, too, and a misspelt login is an error", async () => {
  const project = await start();
  await project.apply(two());
  const fewer = two(1, ["jane", "joe"]);
  const { plan } = await project.apply(fewer, { only: ["jack@acme"] });
  expect(actions(plan)).toEqual(['delete tenancy_user_profile.undeclared["jack@acme"]']);
  for (const options of [{ only: ["jnae@acme"] }, { only: ["jack@acme"] }, { exclude: ["jnae@acme"] }])
    expect(codes(await findings(project.plan(fewer, options)))).toEqual(["TENANCY_UNKNOWN_NAME"]);
  const [finding] = await findings(project.plan(fewer, { only: ["jnae@acme"] }));
  expect(finding?.advice).toBe("Did you mean jane@acme?");
});

describe("a token whose login is literal", () => {
  const loginWith = "temporary_password";
  const build: Build = (stack) => {
    // Declared before its user: the order of the code does not matter.
    new Authorization(stack, "token", { name: "prod", login: "csi@acme", loginWith });
    new Authorization(stack, "owner", { name: "prod", login: "acme", loginWith });
    const accountId = new Account(stack, "acme", { name: "acme", permissions: {} }).id;
    for (const username of ["csi", "jane"])
      new UserProfile(stack, username, { username, accountId, permissions: {} });
    const names = TerraformIterator.fromList(["eu", "us"]);
    new UserProfile(stack, "region", {
      forEach: names,
      username: `${names.value}`,
      accountId,
      permissions: {},
    });
    const token = { forEach: names, name: "prod", login: `${names.value}@acme`, loginWith };
    new Authorization(stack, "regional", token);
  };

  test("takes the user of its login, or the account, along with --only, and is good", async () => {
    const project = await start();
    const owner = await project.plan(build, { only: ["acme/prod"] });
    expect(actions(owner)).toEqual(["create tenancy_account.acme", "create tenancy_authorization.owner"]);
    const { plan } = await project.apply(build, { only: ["tenancy_authorization.token"], initState: true });
    expect([...actions(plan)].sort()).toEqual([
      "create tenancy_account.acme",
      "create tenancy_authorization.token",
      "create tenancy_user_profile.csi",
    ]);
  });

  test("is left out with the user of its login, or the account, each by itself", async () => {
    const project = await start();
    const created = async (exclude: readonly string[]) =>
      actions(await project.plan(build, { exclude }))
        .map((line) => line.replace("create tenancy_", ""))
        .sort();
    const all = await created(["tenancy_user_profile.jane"]);
    expect(all).toHaveLength(8);
    const without = (...addresses: readonly string[]) =>
      [...all, "user_profile.jane"].filter((one) => !addresses.includes(one)).sort();
    expect(await created(["tenancy_user_profile.csi"])).toEqual(
      without("user_profile.csi", "authorization.token"),
    );
    expect(await created(["eu@acme"])).toEqual(
      without('user_profile.region["eu"]', 'authorization.regional["eu"]'),
    );
    expect(await created(["tenancy_account.acme"])).toEqual([]);
  });

  test("keeps the user of its login, where a destroy leaves it out", async () => {
    const project = await start();
    await project.apply(build, { initState: true });
    const exclude = ["tenancy_authorization.token", "tenancy_authorization.owner", "eu@acme/prod"];
    const plan = await project.plan(build, { destroy: true, exclude, maxDeletes: 99 });
    // Users follow the list of the service, after all tokens.
    const [token, ...users] = plan.changes.map(({ key }) => key);
    expect(token).toBe("us@acme/prod");
    expect(users.sort()).toEqual(["jane@acme", "us@acme"]);
  });
});

describe("--exclude of an instance", () => {
  const build: Build = (stack) => {
    const names = TerraformIterator.fromList(["eu", "us"]);
    const region = new Account(stack, "region", {
      forEach: names,
      name: `acme-${names.value}`,
      permissions: {},
    });
    const user = (name: string, forEach: TerraformIterator | undefined, accountId: string) =>
      new UserProfile(stack, name, {
        ...(forEach && { forEach }),
        username: name,
        accountId,
        permissions: {},
      });
    user("each", names, `\${${region.fqn}[each.key].id}`);
    user("eu", undefined, `\${${region.fqn}["eu"].id}`);
    user("us", undefined, `\${${region.fqn}["us"].id}`);
    user("any", undefined, `\${values(${region.fqn})[1].id}`);
    user("after", undefined, "account:1:1").addOverride("depends_on", ["tenancy_user_profile.eu"]);
  };

  test("leaves out what depends on it, by its key or by the same key, and keeps what depends on others", async () => {
    const project = await start();
    const plan = await project.plan(build, { exclude: ['tenancy_account.region["eu"]'] });
    expect([...actions(plan)].sort()).toEqual([
      'create tenancy_account.region["us"]',
      'create tenancy_user_profile.each["us"]',
      "create tenancy_user_profile.us",
    ]);
    const named = await project.plan(build, { exclude: ["acme-eu"] });
    expect(actions(named)).toEqual(actions(plan));
  });

  test("keeps, in a destroy, what it depends on", async () => {
    const project = await start();
    await project.apply(build);
    const plan = await project.plan(build, {
      destroy: true,
      exclude: ['tenancy_user_profile.each["eu"]'],
      allowAccountDeletion: true,
    });
    const gone = plan.changes.map(({ address }) => address);
    expect(gone).toContain('tenancy_account.region["us"]');
    expect(gone).not.toContain('tenancy_account.region["eu"]');
  });
});

test.each([
  ["tenancy_account.acne", "Did you mean tenancy_account.acme?"],
  ["module.x", expect.stringMatching(/^There are: tenancy_account.acme, /)],
  ["tenancy_account.initech", expect.stringMatching(/^There are: tenancy_account.acme, /)],
  ["tenancy_account.acme[0]", "There are: tenancy_account.acme"],
  ['tenancy_account.region["ey"]', 'Did you mean tenancy_account.region["eu"]?'],
  ['tenancy_account.region["asia"]', 'There are: tenancy_account.region["eu"], tenancy_account.region["us"]'],
  ["tenancy_account.none[0]", "Nothing is declared there."],
])("an address that is nowhere is an error: %s", async (address, advice: unknown) => {
  const project = await start();
  const build: Build = (stack) => {
    two()(stack);
    const names = TerraformIterator.fromList(["eu", "us"]);
    new Account(stack, "region", { forEach: names, name: `acme-${names.value}`, permissions: {} });
    new Account(stack, "none", { count: 0, name: "none", permissions: {} });
  };
  for (const options of [{ only: [address] }, { exclude: [address] }]) {
    expect(await findings(project.plan(build, options))).toMatchObject([
      { code: "TENANCY_UNKNOWN_NAME", advice },
    ]);
  }
});

describe("destroy", () => {
  test("takes what is ours, tokens before users and users before accounts", async () => {
    const project = await start();
    const build: Build = (stack) => {
      new Tenant(stack, "acme", {
        name: "acme",
        deletionProtection: false,
        users: { csi: { permissions: none } },
        tokens: { prod: { user: "csi" } },
      });
    };
    await project.apply((stack) => {
      build(stack);
      new Tenant(stack, "forgotten", { name: "forgotten" });
    });
    const { plan, requests } = await project.apply(build, { destroy: true });
    expect(actions(plan)).toEqual([
      "delete tenancy_authorization.acme_prod",
      "delete tenancy_user_profile.acme_csi",
      "delete tenancy_account.acme",
    ]);
    expect(writes(requests).map((line) => line.split("/")[2])).toEqual([
      "authorization",
      "user-profile",
      "account",
    ]);
    // Nobody said that this one may go.
    expect(plan.retained.map(({ key }) => key)).toEqual(["forgotten"]);
  });

  test("deletes what the state has recorded, and leaves alone and lists what is not managed by this owner", async () => {
    const project = await start();
    const { records } = project.service;
    const uuid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    records.createAccount({ name: "imported" });
    records.createAccount({ name: "unmanaged" });
    const build =
      (withUnmanaged: boolean): Build =>
      (stack) => {
        const all = { permissions: {}, deletionProtection: false };
        new Tenant(stack, "imported", { name: "imported", deletionProtection: false }).importFrom();
        new Account(stack, "own", { name: "own", uuid, ...all });
        new Account(stack, "ours", { name: "ours", ...all });
        if (withUnmanaged) new Account(stack, "unmanaged", { name: "unmanaged", ...all });
      };
    await project.apply(build(false));
    const { plan } = await project.apply(build(true), { destroy: true });
    expect(actions(plan)).toEqual([
      "delete tenancy_account.imported",
      "delete tenancy_account.ours",
      "delete tenancy_account.own",
    ]);
    expect(plan.retained.map(({ key, reason }) => [key, reason])).toEqual([
      ["unmanaged", "unmanaged, so it stays"],
    ]);
    expect(records.accounts.map(({ name }) => name).sort()).toEqual(["system", "unmanaged"]);
    expect(plan.outputs).toEqual([]);
  });

  test("of nothing that is there does nothing", async () => {
    const project = await start();
    const { plan } = await project.apply(two(), { destroy: true });
    expect(actions(plan)).toEqual([]);
  });
});
