/** Needs of a token that the plan checks: covers src/engine/tokens and src/resources/authorization. */
import { rm } from "node:fs/promises";
import { Account, Authorization, Permissions, Secret, Tenant, UserProfile, type UserProps } from "tenancy";
import { apply } from "../../../src/engine";
import { actions, codes, findings, projects, writes, type Build, type Project } from "../../support/projects";
import { csi, kept } from "./support";

const start = projects();
const none = Permissions.none();

test("what keeps a token from being created is said by the plan", async () => {
  const project = await start();
  const unspoken = csi({ loginWith: "password" });
  expect(codes(await findings(project.plan(unspoken)))).toEqual(["TENANCY_TOKEN_CREATION_IMPOSSIBLE"]);
  expect(writes(project.service.requests)).toEqual([]);
});

test("what keeps a token from being replaced is said by the plan, and one that stays needs nothing", async () => {
  const project = await start();
  await project.apply(csi());
  const stays = csi({ loginWith: "password" });
  expect(actions(await project.plan(stays))).toEqual([]);
  const replaced = csi({ loginWith: "password", keepers: { year: "2026" } });
  expect(await findings(project.plan(replaced))).toMatchObject([
    { code: "TENANCY_TOKEN_CREATION_IMPOSSIBLE", address: "tenancy_authorization.acme_prod" },
  ]);
});

test("a token is created with its user's password, or with a temporary one", async () => {
  const project = await start();
  const build: Build = (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: none,
      users: { csi: { permissions: none, password: Secret.variable("pw") }, ops: { permissions: none } },
      tokens: { prod: { user: "csi" }, nightly: { user: "ops" } },
    });
  await project.apply(build, { environment: { TF_VAR_pw: "secret" } });
  expect(project.service.records.authorizations).toHaveLength(2);
});

test("another run's token is not replaced", async () => {
  const project = await start();
  await project.apply(csi(null));
  const late = await project.plan(csi());
  await project.apply(csi());
  const result = await apply(late);
  expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_PLAN_OUTDATED"]);
  expect(project.service.records.authorizations).toHaveLength(1);
});

describe("a token whose user could not create it is refused at the plan", () => {
  const IMPOSSIBLE = "TENANCY_TOKEN_CREATION_IMPOSSIBLE";
  const machine = { loginWith: "temporary_password" as const };
  const referring =
    (user: object): Build =>
    (stack) => {
      const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
      const one = new UserProfile(stack, "csi", {
        username: "csi",
        accountId: acme.id,
        permissions: {},
        ...user,
      });
      new Authorization(stack, "prod", { login: one.login, name: "prod", ...machine });
    };
  const refusal = async (project: Project, build: Build) => {
    const [found, ...others] = await findings(project.plan(build));
    expect(others).toEqual([]);
    expect(writes(project.service.requests)).toEqual([]);
    return `${found?.code} ${found?.summary}`;
  };

  test.each([
    ["has no API access", { access: { api: false } }, "the user has no API access"],
    [
      "is to have a second factor",
      { twoFactor: { auth: "google" as const } },
      "the user logs in with two factors",
    ],
  ])("where the user %s", async (_what, user, why) => {
    const project = await start();
    expect(await refusal(project, csi(machine, user))).toContain(`${IMPOSSIBLE} a token for "csi@acme"`);
    expect(await refusal(project, csi(machine, user))).toContain(why);
  });

  test("where the user is made by the same plan, and the token refers to the user", async () => {
    const project = await start();
    expect(await refusal(project, referring({ accessApi: false }))).toContain("the user has no API access");
    await project.apply(referring({}));
  });

  test("where the user is live, unless the same plan gives the user what is lacking", async () => {
    const project = await start();
    await project.apply(csi(null, { access: { api: false } }));
    const before = writes(project.service.requests).length;
    expect(codes(await findings(project.plan(csi(machine, { access: { api: false } }))))).toEqual([
      IMPOSSIBLE,
    ]);
    expect(codes(await findings(project.plan(csi(machine))))).toEqual([IMPOSSIBLE]);
    expect(writes(project.service.requests)).toHaveLength(before);
    await project.apply(csi(machine, { access: { api: true } }));
    expect((await kept(project)).tokens).toHaveLength(1);
  });

  const imported =
    (user: UserProps, token: object): Build =>
    (stack) => {
      const tenant = new Tenant(stack, "acme", { name: "acme", users: { csi: user } });
      tenant.importFrom();
      tenant.user("csi").importFrom();
      tenant.addToken("prod", { user: "csi", ...token });
    };
  const withImported = async () => {
    const project = await start();
    project.service.records.createAccount({ name: "acme" });
    project.service.records.createProfile("acme", { username: "csi", password: "of csi" });
    return project;
  };
  const FIRST_APPLY = { initState: true, environment: { TF_VAR_pw: "of csi" } };

  test("where an imported user has a password that the code does not declare", async () => {
    const project = await withImported();
    const build = imported({}, {});
    const [finding] = await findings(project.plan(build, FIRST_APPLY));
    expect(finding).toMatchObject({ code: IMPOSSIBLE, address: "tenancy_authorization.acme_prod" });
    expect(finding?.summary).toContain("the user has a password that is not declared");
    for (const cost of ["changes nothing for the user", "replaces the present", "ends the present"])
      expect(finding?.advice).toContain(cost);
    expect(writes(project.service.requests)).toEqual([]);
  });

  test.each<readonly [string, UserProps, object, object]>([
    ["the present password", {}, { loginWith: "password", password: Secret.variable("pw") }, {}],
    ["a new password", { password: Secret.variable("pw") }, {}, { resetPasswords: true }],
    ["no password", { password: null }, {}, {}],
    [
      "a new password",
      { password: Secret.variable("pw") },
      { loginWith: "password" },
      { resetPasswords: true },
    ],
  ])("unless an imported user gets %s", async (_what, user, token, options) => {
    const project = await withImported();
    await project.apply(imported(user, token), { ...FIRST_APPLY, ...options });
    expect(project.service.records.authorizations).toHaveLength(1);
  });

  test("where a primary user has a password, which is not to be taken away, and the other advice works", async () => {
    const project = await start();
    project.service.records.createAccount({ name: "acme", password: "of acme" });
    const build =
      (account: object, token: object): Build =>
      (stack) =>
        void new Tenant(stack, "acme", { name: "acme", ...account, tokens: { prod: token } }).importFrom();
    const [finding] = await findings(project.plan(build({}, machine), FIRST_APPLY));
    expect([finding?.code, finding?.advice]).toEqual([IMPOSSIBLE, expect.not.stringContaining("null")]);
    const declared = build({ password: Secret.variable("pw") }, { loginWith: "password" });
    await project.apply(declared, { ...FIRST_APPLY, resetPasswords: true });
    expect(project.service.records.authorizations).toHaveLength(1);
  });

  test.each<readonly [string, UserProps, object, string]>([
    ["is declared with a password", { password: Secret.variable("pw") }, machine, "has a declared password"],
    ["has none", {}, { loginWith: "password", password: Secret.variable("pw") }, "the user has no password"],
  ])("where a new user %s, and login_with needs the opposite", async (_what, user, token, why) => {
    const project = await start();
    const [finding] = await findings(project.plan(csi(token, user), FIRST_APPLY));
    expect([finding?.code, finding?.summary]).toEqual([IMPOSSIBLE, expect.stringContaining(why)]);
    expect(writes(project.service.requests)).toEqual([]);
  });

  test("where a lost state does not tell that the declared password was never sent, and the advice works", async () => {
    const project = await start();
    await project.apply(csi(machine));
    await rm(project.state);
    const build = csi(
      { loginWith: "password", password: Secret.variable("pw") },
      { password: Secret.variable("pw") },
    );
    await project.apply(build, { ...FIRST_APPLY, recover: true });
    const [finding] = await findings(project.plan(build, FIRST_APPLY));
    expect([finding?.code, finding?.advice]).toEqual([
      IMPOSSIBLE,
      expect.stringContaining("--reset-passwords"),
    ]);
    await project.apply(build, { ...FIRST_APPLY, resetPasswords: true });
    expect(project.service.records.authorizations).toHaveLength(2);
  });

  test.each([
    ["deactivated", "the user is not activated"],
    ["in a disabled account", "the account is disabled"],
  ])("where the user is %s", async (what, why) => {
    const project = await start();
    await project.apply(csi(null));
    const { records } = project.service;
    if (what === "deactivated") records.patchProfile("csi@acme", { activated: false });
    else
      project.service.fail({
        path: "/api/account",
        times: 9,
        alter: (list) => (list as object[]).map((one) => ({ ...one, disabled: true })),
      });
    const [finding] = await findings(project.plan(csi(machine)));
    expect([finding?.code, finding?.summary]).toEqual([IMPOSSIBLE, expect.stringContaining(why)]);
  });

  test("where an account's primary user has no API access", async () => {
    const project = await start();
    const build: Build = (stack) =>
      void new Tenant(stack, "acme", {
        name: "acme",
        permissions: none,
        access: { api: false },
        tokens: { prod: { loginWith: "temporary_password" } },
      });
    expect(await refusal(project, build)).toContain(
      'a token for "acme" cannot be created: the user has no API',
    );
  });
});
