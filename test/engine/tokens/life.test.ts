/** Tokens from their creation to their end, in plans and applies: covers src/engine/tokens and src/resources/authorization. */
import { readFile } from "node:fs/promises";
import { Account, Authorization, Permissions, Deletion, TenancyProvider, Tenant, UserProfile } from "tenancy";
import { apply, refusedPlan } from "../../../src/engine";
import {
  actions,
  changeAt,
  codes,
  findings,
  projects,
  writes,
  type Build,
  type Project,
} from "../../support/projects";
import { creations, csi, failureOf, isGood, type Kept, kept } from "./support";
import { stateKey } from "../../support/state-key";

const start = projects();
const none = Permissions.none();

describe("a token", () => {
  test("is created once, kept, and good", async () => {
    const project = await start();
    const first = await project.apply(csi());
    expect(creations(first)).toBe(1);
    expect(changeAt(first.plan, "tenancy_authorization.acme_prod")).toMatchObject({
      claim: undefined,
      observedRecord: undefined,
      notes: [],
    });
    const { tokens, intents } = await kept(project);
    expect(tokens).toMatchObject([{ login: "csi@acme", name: "prod", previous: [] }]);
    expect(intents).toEqual([]);
    expect(await isGood(project, tokens[0]!.record)).toBe(true);
    const again = await project.apply(csi());
    expect(creations(again)).toBe(0);
    expect(changeAt(again.plan, "tenancy_authorization.acme_prod")).toMatchObject({
      claim: "managed",
      observedRecord: { id: project.service.records.authorizations[0]?.id, key: "csi@acme/prod" },
      notes: [],
    });
    expect(project.service.records.profile("csi@acme").password).toBeNull();
  });

  test("is revoked when it is no longer declared, and counts as a delete", async () => {
    const project = await start();
    await project.apply(csi());
    const { tokens } = await kept(project);
    const { plan } = await project.apply(csi(null));
    expect(actions(plan)).toEqual(['delete tenancy_authorization.undeclared["csi@acme/prod"]']);
    expect(await isGood(project, tokens[0]!.record)).toBe(false);
    expect((await kept(project)).tokens).toEqual([]);
    await project.apply(csi());
    expect(codes(await findings(project.plan(csi(null), { maxDeletes: 0 })))).toEqual([
      "TENANCY_TOO_MANY_DELETES",
    ]);
  });

  test("is revoked before its user is deleted", async () => {
    const project = await start();
    await project.apply(csi());
    const { requests } = await project.apply(csi(null, null), { maxDeletes: 2 });
    expect(writes(requests).map((line) => line.replace(/[^/]*$/, ""))).toEqual([
      "DELETE /api/authorization/",
      "DELETE /api/user-profile/",
    ]);
  });

  test.each([
    ["the service does not revoke over its API", { revocation: false }, undefined],
    ["the run may not revoke it", {}, 403],
  ])("of a suspended user is not forgotten: %s", async (_why, mood, status) => {
    const project = await start({ ...mood, suspendedStatus: 401 });
    await project.apply(csi());
    const { record } = (await kept(project)).tokens[0]!;
    project.service.records.patchProfile("csi@acme", { activated: false });
    if (status !== undefined)
      project.service.fail({ method: "DELETE", path: /\/authorization\//, status, times: 9 });
    const { result } = await project.run(csi(null));
    expect(result.ok).toBe(false);
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_NOT_REVOKED"]);
    expect((await kept(project)).tokens).toMatchObject([{ record: { serial: record.serial } }]);
    project.service.records.patchProfile("csi@acme", { activated: true });
    expect(await isGood(project, record)).toBe(true);
    if (status !== undefined) return;
    project.service.records.revokeToken(record.serial);
    await project.apply(csi(null));
    expect(await kept(project)).toMatchObject({ tokens: [], failed_revocations: [] });
  });

  describe("of a user who is not ours", () => {
    const other: Build = (stack) =>
      void new Tenant(stack, "other", { name: "other", permissions: none, users: { joe: {} } });
    const gone: Build = (stack) => {
      other(stack);
      new Deletion(stack, "gone", { account: "acme" });
    };
    const options = { allowNonempty: true, maxDeletes: 9 };

    async function withToken(simulator: Parameters<typeof start>[0] = {}): Promise<Project> {
      const project = await start(simulator);
      const acme: Build = (stack) => {
        other(stack);
        new Tenant(stack, "acme", { name: "acme", permissions: none });
      };
      await project.apply(acme);
      project.service.records.createProfile("acme", { username: "eve", password: "of eve" });
      const token: Build = (stack) => {
        acme(stack);
        new Authorization(stack, "token", { login: "eve@acme", name: "prod", passwordWo: "of eve" });
      };
      await project.apply(token, { initState: true });
      return project;
    }

    test("goes with the account where the service revokes nothing over its API", async () => {
      const project = await withToken({ revocation: false });
      await project.apply(gone, options);
      expect(await kept(project)).toMatchObject({ tokens: [], failed_revocations: [] });
    });

    test("stays with an account that cannot be deleted", async () => {
      const project = await withToken();
      const { record } = (await kept(project)).tokens[0]!;
      const made = await project.plan(gone, options);
      project.service.records.createProfile("acme", { username: "late" });
      const result = await apply(made);
      expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual([
        "TENANCY_PLAN_OUTDATED",
      ]);
      expect(result.notTried.map(({ key }) => key)).toEqual(["eve@acme/prod"]);
      expect(await isGood(project, record)).toBe(true);
    });
  });

  test("waits for the user of its login, also without a reference", async () => {
    const project = await start();
    const build: Build = (stack) => {
      new Authorization(stack, "a_token", {
        name: "prod",
        login: "csi@acme",
        loginWith: "temporary_password",
      });
      const account = new Account(stack, "z_account", { name: "acme", permissions: {} });
      new UserProfile(stack, "z_user", { username: "csi", accountId: account.id, permissions: {} });
      new Authorization(stack, "b_token", { name: "second", login: "acme", loginWith: "temporary_password" });
    };
    await project.apply(build);
    expect((await kept(project)).tokens).toHaveLength(2);
  });

  test("takes its turn with another token of its user, also where two providers create them", async () => {
    const project = await start();
    const build: Build = (stack) => {
      const account = new Account(stack, "acme", { name: "acme", permissions: {} });
      const user = new UserProfile(stack, "csi", { username: "csi", accountId: account.id, permissions: {} });
      const provider = new TenancyProvider(stack, "patient", {
        alias: "patient",
        owner: "other-team",
        retryTimeout: "9s",
      });
      const loginWith = "temporary_password";
      new Authorization(stack, "one", { name: "one", login: user.login, loginWith });
      new Authorization(stack, "other", { name: "other", login: user.login, loginWith, provider });
    };
    await project.apply(build);
    const { parts } = JSON.parse(await readFile(project.state, "utf8")) as { parts: readonly Kept[] };
    const records = parts.flatMap(({ tokens }) => tokens.map(({ record }) => record));
    expect(records).toHaveLength(2);
    for (const record of records) expect(await isGood(project, record)).toBe(true);
  });

  test("follows its user who was made anew, and the old one is not forgotten", async () => {
    const project = await start();
    await project.apply(csi());
    const before = (await kept(project)).tokens[0]!.record;
    project.service.records.deleteProfile("csi@acme");
    const { plan } = await project.apply(csi());
    expect(actions(plan)).toContain("create tenancy_authorization.acme_prod");
    expect(changeAt(plan, "tenancy_authorization.acme_prod").notes).toEqual([
      "the token in the state is no longer valid",
    ]);
    const after = await kept(project);
    expect(after.tokens[0]!.record.serial).not.toBe(before.serial);
    expect(await isGood(project, after.tokens[0]!.record)).toBe(true);
    expect(after.failed_revocations).toEqual([]);
  });

  test("that was revoked outside is created again, and one that it replaced stays valid for its time", async () => {
    const project = await start();
    await project.apply(csi());
    await project.apply(csi({ keepers: { year: "2025" } }));
    const before = (await kept(project)).tokens[0]!;
    project.service.records.revokeToken(before.record.serial);
    expect(actions(await project.plan(csi({ keepers: { year: "2025" } })))).toEqual([]);
    const { plan } = await project.apply(csi({ keepers: { year: "2025" } }), { verifyTokens: true });
    expect(changeAt(plan, "tenancy_authorization.acme_prod")).toMatchObject({
      action: "update",
      notes: ["the token in the state is no longer valid"],
    });
    expect(plan.access).toMatchObject([
      { entries: [{ note: expect.stringMatching(/^a new token; an earlier one/) as string }] },
    ]);
    const after = await kept(project);
    expect(after.tokens[0]?.previous.map(({ serial }) => serial)).toEqual([before.previous[0]?.serial]);
    expect(await isGood(project, before.previous[0]!)).toBe(true);
    expect(await isGood(project, after.tokens[0]!.record)).toBe(true);
    expect(after.failed_revocations).toEqual([]);
    expect(actions(await project.plan(csi({ keepers: { year: "2025" } }), { verifyTokens: true }))).toEqual(
      [],
    );
  });

  test("that was revoked outside leaves of those that it replaced the ones that are still valid", async () => {
    const project = await start();
    const declared = (year: number) => csi({ retainPrevious: 2, keepers: { year: String(year) } });
    for (const year of [2023, 2024, 2025]) await project.apply(declared(year));
    const before = (await kept(project)).tokens[0]!;
    for (const one of [before.record, before.previous[0]!]) project.service.records.revokeToken(one.serial);
    await project.apply(declared(2025), { verifyTokens: true });
    const after = (await kept(project)).tokens[0]!;
    expect(after.previous.map(({ serial }) => serial)).toEqual([before.previous[1]?.serial]);
    expect(await isGood(project, after.record)).toBe(true);
  });

  test.each([false, true])(
    "of a user who is gone is created again without a word of doubt, whether tokens are verified or not (%s)",
    async (verifyTokens) => {
      const project = await start();
      await project.apply(csi());
      project.service.records.deleteProfile("csi@acme");
      const plan = await project.plan(csi(), { verifyTokens });
      expect(plan.warnings).toEqual([]);
      expect(changeAt(plan, "tenancy_authorization.acme_prod").notes).toEqual([
        "the token in the state is no longer valid",
      ]);
    },
  );

  test("has a key as far as its login and its name are known", async () => {
    const project = await start();
    const build: Build = (stack) => {
      const other = new Account(stack, "other", { name: "other" });
      const way = { loginWith: "temporary_password" } as const;
      const passwordWo = project.service.password;
      new Authorization(stack, "named_later", { login: "system", name: `for ${other.id}`, passwordWo });
      new Authorization(stack, "of_somebody", { login: `${other.id}@other`, name: "prod", ...way });
    };
    const plan = await project.plan(build, { initState: true });
    expect(changeAt(plan, "tenancy_authorization.named_later").key).toBe("system/(known after apply)");
    expect(changeAt(plan, "tenancy_authorization.of_somebody").key).toBe("(known after apply)/prod");
  });

  test.each([
    ["is declared elsewhere", false],
    ["is declared with it", true],
  ])("stays as it is where its user, who %s, is hidden from the list", async (_where, isDeclared) => {
    const project = await start();
    const { records } = project.service;
    const build: Build = (stack) => {
      if (isDeclared) return csi()(stack);
      new Authorization(stack, "token", { login: "csi@acme", name: "prod", passwordWo: "of csi alone" });
    };
    if (!isDeclared) {
      records.createAccount({ name: "acme" });
      records.createProfile("acme", { username: "csi", password: "of csi alone" });
    }
    await project.apply(build, { initState: true });
    const { record } = (await kept(project)).tokens[0]!;
    project.service.fail({
      method: "GET",
      path: "/api/user-profile",
      times: 99,
      alter: (profiles) => (profiles as { login: string }[]).filter(({ login }) => login !== "csi@acme"),
    });
    const before = project.service.requests.length;
    for (let run = 0; run < 2; run++) {
      if (isDeclared) {
        const error = await failureOf(project.plan(build));
        expect(codes(error.toDiagnostics())).toEqual(["TENANCY_INCOMPLETE_LISTS"]);
        const plan = refusedPlan(error)!;
        expect(actions(plan)).toEqual(["create tenancy_user_profile.acme_csi"]);
        expect(changeAt(plan, "tenancy_user_profile.acme_csi").notes).toEqual([
          expect.stringMatching(
            /^not verified: may exist: .*known as csi@acme, is not in the list of profiles/,
          ) as string,
        ]);
      } else {
        const { plan } = await project.run(build);
        expect(actions(plan)).toEqual([]);
      }
      expect(writes(project.service.requests.slice(before))).toEqual([]);
      expect((await kept(project)).tokens).toMatchObject([{ record: { serial: record.serial } }]);
      expect(await isGood(project, record)).toBe(true);
    }
  });

  test.each([
    ["a user who is hidden from the list", 200, ["csi@acme"]],
    ["a user who may not be looked at", 403, ["csi@acme"]],
    ["a user whose account is hidden as well", 200, ["csi@acme", "jane@acme", "acme"]],
  ])(
    "proves by %s that the lists are not whole: nothing is created or deleted",
    async (_who, status, missing) => {
      const project = await start();
      const build =
        (...names: readonly string[]): Build =>
        (stack) => {
          csi()(stack);
          for (const name of names) new Tenant(stack, name, { name, permissions: none });
        };
      await project.apply(build("globex"));
      const alter = (list: unknown) =>
        (list as { login?: string; name?: string }[]).filter(
          ({ login, name }) => !missing.includes(login ?? name ?? ""),
        );
      project.service.fail({ method: "GET", path: "/api/user-profile", times: 99, alter });
      project.service.fail({ method: "GET", path: "/api/account", times: 99, alter });
      if (status !== 200) project.service.fail({ path: /user-profile\/./, times: 99, status });
      const before = project.service.requests.length;
      for (const declared of [build("globex"), build("globex", "initech"), build()]) {
        const options = { allowAccountDeletion: true };
        expect(codes(await findings(project.plan(declared, options)))).toContain("TENANCY_INCOMPLETE_LISTS");
      }
      expect(writes(project.service.requests.slice(before))).toEqual([]);
      project.service.clearFaults();
      expect(actions(await project.plan(build("globex")))).toEqual([]);
    },
  );

  test("is created again for a user who is made anew, also where the caller cannot prove that the old one is gone", async () => {
    const project = await start({ describeCaller: { permissions: false, user: false } });
    const { records } = project.service;
    records.createAccount({ name: "ops" });
    records.createProfile("ops", {
      username: "deployer",
      level: 900,
      permissions: { realm: { rights: { manage_accounts: true } }, user: { rights: { manage_users: true } } },
    });
    const { access_token: own } = records.createToken("deployer@ops");
    const options = { environment: { TENANCY_TOKEN: own, TENANCY_USERNAME: "", TENANCY_PASSWORD: "" } };
    const build: Build = (stack) => {
      const account = new Account(stack, "acme", { name: "acme", permissions: {} });
      new UserProfile(stack, "csi", { username: "csi", accountId: account.id, permissions: {} });
      new Authorization(stack, "token", { login: "csi@acme", name: "prod", loginWith: "temporary_password" });
    };
    await project.apply(build, options);
    project.service.records.deleteProfile("csi@acme");
    await project.apply(build, options);
    expect(await isGood(project, (await kept(project)).tokens[0]!.record)).toBe(true);
    expect(actions(await project.plan(build, options))).toEqual([]);
  });

  test("that somebody else made, and that is not in the state, is neither shown nor touched", async () => {
    const project = await start();
    await project.apply(csi());
    const byHand = project.service.records.createToken("csi@acme");
    expect(actions(await project.plan(csi()))).toEqual([]);
    await project.apply(csi(null));
    expect(await isGood(project, byHand)).toBe(true);
  });

  test("declared with unknown keepers, of a user that is yet to be made, is planned all the same", async () => {
    const project = await start();
    const build: Build = (stack) => {
      const acme = new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: { csi: { permissions: none } },
      });
      acme.addToken("prod", { user: "csi", keepers: { account: acme.account.id } });
    };
    await project.apply(build);
    expect(actions(await project.plan(build))).toEqual([]);
  });
});

describe("in CI", () => {
  test("creating tokens is refused beforehand, unless the state outlives the job", async () => {
    const project = await start();
    const ci = { environment: { CI: "true" } };
    expect(codes(await findings(project.plan(csi(), ci)))).toEqual(["TENANCY_TOKEN_CREATION_REFUSED"]);
    expect(writes(project.service.requests)).toEqual([]);
    await project.plan(csi(), { ...ci, state: { path: project.state } });
    await project.plan(csi(), { environment: { CI: "true", TENANCY_STATE_KEY: stateKey("k") } });
    await project.apply(csi(), { state: { path: project.state } });
    expect(actions(await project.plan(csi(), ci))).toEqual([]);
  });
});
