/** Tokens whose users are not declared, or leave the code: covers src/engine/tokens and src/resources/authorization. */
import { readFile, writeFile } from "node:fs/promises";
import {
  Account,
  Authorization,
  Permissions,
  Deletion,
  type DeletionProps,
  TenancyProvider,
  Tenant,
  UserProfile,
} from "tenancy";
import type { TerraformStack } from "cdktf";
import { actions, codes, findings, projects, writes, type Build, type Project } from "../../support/projects";

const start = projects();

describe("a token of a user who is not declared", () => {
  interface Listed {
    readonly login: string;
    readonly id?: string;
  }

  const build: Build = (stack) =>
    void new Authorization(stack, "token", { login: "csi@acme", name: "prod", passwordWo: "of csi alone" });

  /** A project that keeps such a token, whose user changes in the list. */
  async function withToken(
    listed: (profiles: readonly Listed[]) => readonly Listed[],
    ...[options]: Parameters<typeof start>
  ) {
    const project = await start(options);
    const { records } = project.service;
    records.createAccount({ name: "acme" });
    records.createProfile("acme", { username: "csi", password: "of csi alone" });
    records.createProfile("acme", { username: "jane" });
    await project.apply(build, { initState: true });
    const alter = (profiles: unknown) => listed(profiles as Listed[]);
    project.service.fail({ path: "/api/user-profile", alter, times: 9 });
    return project;
  }

  const hidden = (profiles: readonly Listed[]) => profiles.filter(({ login }) => login !== "csi@acme");

  test("is not taken for gone where that is hidden from the list, and may not or cannot be looked at", async () => {
    const project = await withToken(hidden);
    const alone = { path: /user-profile\/./, times: 9 };
    project.service.fail({ ...alone, status: 400 });
    expect(codes(await findings(project.plan(build)))).toEqual(["TENANCY_API_VALIDATION"]);
    project.service.clearFaults();
    project.service.fail({
      path: "/api/user-profile",
      alter: (list) => hidden(list as Listed[]),
      times: 9,
    });
    project.service.fail({ ...alone, status: 403 });
    expect(actions(await project.plan(build))).toEqual([]);
  });

  test("is not taken for gone by a caller of whom nobody can tell whom it may see", async () => {
    const project = await withToken(hidden, { describeCaller: { permissions: false, user: false } });
    project.service.fail({ path: /user-profile\/./, status: 404, times: 9 });
    const { access_token: own } = project.service.records.createToken("system");
    const environment = { TENANCY_TOKEN: own, TENANCY_USERNAME: "", TENANCY_PASSWORD: "" };
    expect(actions(await project.plan(build, { environment }))).toEqual([]);
  });

  test("is created again where somebody else has the login by now, although the former user is live", async () => {
    const other: Readonly<Record<string, string>> = { "csi@acme": "jane@acme", "jane@acme": "csi@acme" };
    const project = await withToken(
      (profiles) =>
        profiles.map((profile) => ({
          ...profile,
          login: other[profile.login] ?? profile.login,
          password_set: true,
        })),
      { describeCaller: { user: true } },
    );
    expect(actions(await project.plan(build))).toEqual(["create tenancy_authorization.token"]);
  });

  test.each([
    ["the service lists users without ids", ({ id: _id, ...profile }: Listed) => profile, undefined],
    ["the state does not say whose it is", (profile: Listed) => profile, () => "null"],
    [
      "the state has the user's serial number",
      (profile: Listed) => profile,
      ({ service }: Project) => JSON.stringify(service.records.profile("csi@acme").serial),
    ],
  ])("stays as it is where %s", async (_how, shown, userId) => {
    const project = await withToken((profiles) =>
      profiles.map((profile) => (profile.login === "csi@acme" ? shown(profile) : profile)),
    );
    if (userId !== undefined) {
      const text = await readFile(project.state, "utf8");
      await writeFile(project.state, text.replace(/"user_id": ?"[^"]*"/, `"user_id": ${userId(project)}`));
    }
    project.service.clearRequests();
    expect(actions(await project.plan(build))).toEqual([]);
    expect(project.service.requests.filter(({ path }) => /null|undefined/.test(path))).toEqual([]);
  });

  test.each([
    ["is created again where that is gone", true, ["create tenancy_authorization.token"]],
    ["stays as it is where that is only hidden", false, []],
  ])("%s, and the state does not say who that was", async (_how, isGone, planned) => {
    const project = await withToken(hidden);
    if (isGone) project.service.records.deleteProfile("csi@acme");
    const text = await readFile(project.state, "utf8");
    await writeFile(project.state, text.replace(/"user_id": ?"[^"]*"/, '"user_id": null'));
    project.service.clearRequests();
    expect(actions(await project.plan(build))).toEqual(planned);
    expect(project.service.requests.filter(({ path }) => /null|undefined/.test(path))).toEqual([]);
  });

  test("goes on where a migration has given the user another id, with a plan that changes nothing", async () => {
    const project = await withToken((profiles) => profiles, { suspendedStatus: 401 });
    const { records } = project.service;
    const former = records.profile("csi@acme").id;
    expect(records.renumberProfile("csi@acme").id).not.toBe(former);
    const { plan, requests } = await project.apply(build);
    expect(actions(plan)).toEqual([]);
    expect(writes(requests)).toEqual([]);
    expect(records.authorizations).toHaveLength(1);
    // A user who is suspended meanwhile proves nothing either, although the service refuses the token.
    records.patchProfile("csi@acme", { activated: false });
    const suspended = await project.plan(build);
    expect(actions(suspended)).toEqual([]);
    expect(codes(suspended.warnings)).toContain("TENANCY_TOKEN_NOT_VERIFIED");
  });
});

describe("a declared token whose login is literal", () => {
  interface Leaving {
    /** Accounts and logins that are not declared. */
    readonly gone?: readonly string[];
    readonly removed?: DeletionProps;
  }

  const declared =
    (login: string, { gone = [], removed }: Leaving = {}): Build =>
    (stack) => {
      for (const name of ["acme", "other", "third"].filter((one) => !gone.includes(one))) {
        const accountId = new Account(stack, name, { name, permissions: {} }).id;
        for (const username of ["csi", "jane", "joe"].filter((one) => !gone.includes(`${one}@${name}`)))
          new UserProfile(stack, `${username}_${name}`, { username, accountId, permissions: {} });
      }
      new Authorization(stack, "token", { name: "prod", login, loginWith: "temporary_password" });
      if (removed !== undefined) new Deletion(stack, "removed", removed);
    };

  const user = 'the user profile "csi@acme"';
  const account = 'the account "acme"';
  const allowed = { allowAccountDeletion: ["acme"], maxDeletes: 99 };

  test.each<[string, string, Leaving, object, string]>([
    ["a user who left the code", "csi@acme", { gone: ["csi@acme"] }, {}, user],
    [
      "a user who is removed",
      "csi@acme",
      { gone: ["csi@acme"], removed: { login: "csi@acme" } },
      { noPrune: true },
      user,
    ],
    ["a user whom --only names", "csi@acme", { gone: ["csi@acme"] }, { only: ["csi@acme"] }, user],
    ["a user in an account that may go", "csi@acme", { gone: ["acme"] }, allowed, user],
    ["an account that may go", "acme", { gone: ["acme"] }, allowed, account],
    [
      "an account that is removed",
      "acme",
      { gone: ["acme"], removed: { account: "acme" } },
      { maxDeletes: 99 },
      account,
    ],
  ])("is not lost with %s: the plan is refused", async (_, login, leaving, options, lost) => {
    const project = await start();
    await project.apply(declared(login), { initState: true });
    const found = await findings(project.plan(declared(login, leaving), options));
    expect(found).toMatchObject([
      { code: "TENANCY_TOKEN_WITHOUT_USER", address: "tenancy_authorization.token" },
    ]);
    expect(found[0]?.summary).toContain(lost);
  });

  test("of a provider that the stack no longer has is deleted by the one that stays", async () => {
    const project = await start();
    const users = (stack: TerraformStack, ...names: readonly string[]) => {
      const none = Permissions.none();
      const members = Object.fromEntries(names.map((name) => [name, { permissions: none }]));
      new Tenant(stack, "acme", { name: "acme", permissions: none, users: members });
    };
    await project.apply(
      (stack) => {
        users(stack, "csi", "joe");
        const team = { alias: "team", baseUrl: project.service.baseUrl };
        const provider = new TenancyProvider(stack, "team", team);
        const token = { login: "csi@acme", name: "b", loginWith: "temporary_password", provider };
        new Authorization(stack, "b", token).node.addDependency(stack.node.findChild("acme"));
      },
      { initState: true },
    );
    const plan = await project.plan((stack) => users(stack, "joe"));
    expect(actions(plan)).toEqual([
      'delete tenancy_authorization.undeclared["csi@acme/b"]',
      'delete tenancy_user_profile.undeclared["csi@acme"]',
    ]);
    expect(codes(plan.warnings)).toEqual(["TENANCY_MOVED"]);
  });

  test("is no reason to refuse a plan that leaves its user alone, or a destroy", async () => {
    const project = await start();
    await project.apply(declared("csi@acme"), { initState: true });
    const fewer = declared("csi@acme", { gone: ["csi@acme", "joe@acme"] });
    const plans = [
      await project.plan(fewer, { only: ["joe@acme"] }),
      await project.plan(fewer, { noPrune: true }),
      await project.plan(declared("csi@acme"), { destroy: true, allowAccountDeletion: true, maxDeletes: 99 }),
    ];
    expect(plans.map((plan) => actions(plan).length)).toEqual([1, 0, 13]);
  });
});
