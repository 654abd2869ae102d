/** Tokens in plans and applies: covers src/engine/tokens and src/resources/authorization. */
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  Account,
  Authorization,
  Permissions,
  Deletion,
  type DeletionProps,
  Secret,
  TenancyProvider,
  Tenant,
  UserProfile,
  type TokenProps,
  type UserProps,
} from "tenancy";
import { TerraformStack } from "cdktf";
import { apply, drift, refusedPlan, takeSnapshot } from "../../src/engine";
import { listTokens } from "../../src/engine/tokens/list";
import { ownedUuid } from "../../src/ownership";
import { TenancyError } from "../../src/problems";
import {
  actions,
  changeAt,
  codes,
  findings,
  projects,
  writes,
  type Applied,
  type Build,
  type Project,
} from "../support/projects";
import { exactly } from "../support/rights";

const start = projects();
const none = Permissions.none();

const csi =
  (token: object | null = {}, user: object | null = {}): Build =>
  (stack) => {
    const users: Record<string, UserProps> = {
      ...(user !== null && { csi: { permissions: none, ...user } }),
      jane: { permissions: none },
    };
    const tokens: Record<string, TokenProps> = token === null ? {} : { prod: { user: "csi", ...token } };
    new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users, tokens });
  };

interface Kept {
  readonly tokens: readonly {
    readonly name: string;
    readonly record: CreatedToken;
    readonly previous: readonly CreatedToken[];
    readonly refused?: readonly object[];
  }[];
  readonly intents: readonly object[];
  readonly failed_revocations: readonly CreatedToken[];
}

interface CreatedToken {
  readonly retired_at: string;
  readonly serial: string;
  readonly access_token: string;
}

async function kept(project: Project): Promise<Kept> {
  const store = JSON.parse(await readFile(project.store, "utf8")) as { parts: [Kept] };
  return store.parts[0];
}

/** Whether the service accepts a token. */
async function isGood(
  project: Project,
  { access_token: token }: Pick<CreatedToken, "access_token">,
): Promise<boolean> {
  const response = await fetch(`${project.service.baseUrl}/api/status/authorization`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return response.status === 200;
}

/** Notes tokens of the store's only entry as refused, whatever the service says. */
async function noteRefused(project: Project, tokens: readonly CreatedToken[]): Promise<void> {
  const store = JSON.parse(await readFile(project.store, "utf8")) as { parts: [{ tokens: [object] }] };
  const refused = tokens.map(({ serial }) => ({ serial, refused_at: "2026-01-02T03:04:05.678Z" }));
  Object.assign(store.parts[0].tokens[0], { refused });
  await writeFile(project.store, JSON.stringify(store));
}

async function failureOf(promise: Promise<unknown>): Promise<TenancyError> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  if (error instanceof TenancyError) return error;
  throw new Error("nothing stopped it", { cause: error });
}

const creations = ({ requests }: Applied) =>
  requests.filter(({ method, path }) => method === "POST" && path === "/api/authorization").length;

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

  test("goes with its user where the service revokes nothing over its API", async () => {
    const project = await start({ revocation: false });
    await project.apply(csi());
    const { tokens } = await kept(project);
    const alone = await project.run(csi(null));
    expect(codes(alone.result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual([
      "TENANCY_NOT_REVOKED",
    ]);
    await project.apply(csi(null, null), { maxDeletes: 2 });
    expect(await isGood(project, tokens[0]!.record)).toBe(false);
    expect(await kept(project)).toMatchObject({ tokens: [], failed_revocations: [] });
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
      await project.apply(token, { initStore: true });
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
      expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_MOVED_ON"]);
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
    const { parts } = JSON.parse(await readFile(project.store, "utf8")) as { parts: readonly Kept[] };
    const records = parts.flatMap(({ tokens }) => tokens.map(({ record }) => record));
    expect(records).toHaveLength(2);
    for (const record of records) expect(await isGood(project, record)).toBe(true);
  });

  test("follows its user who was made anew, and the old one is not forgotten", async () => {
    const project = await start();
    await project.apply(csi());
    const before = (await kept(project)).tokens[0]!.record;
    project.service.records.deleteProfile("csi@acme");
    project.service.records.createProfile("acme", {
      username: "csi",
      uuid: ownedUuid({ kind: "user_profile", names: ["acme", "csi"], owner: "acme-platform" }, 0),
      ...exactly(none),
    });
    const { plan } = await project.apply(csi());
    expect(actions(plan)).toContain("create tenancy_authorization.acme_prod");
    expect(changeAt(plan, "tenancy_authorization.acme_prod").notes).toEqual([
      "the token in the store is no longer good",
    ]);
    const after = await kept(project);
    expect(after.tokens[0]!.record.serial).not.toBe(before.serial);
    expect(await isGood(project, after.tokens[0]!.record)).toBe(true);
    expect(after.failed_revocations).toEqual([]);
  });

  test("that was revoked outside is created again, and one that it replaced stays good for its time", async () => {
    const project = await start();
    await project.apply(csi());
    await project.apply(csi({ keepers: { year: "2025" } }));
    const before = (await kept(project)).tokens[0]!;
    project.service.records.revokeToken(before.record.serial);
    const { plan } = await project.apply(csi({ keepers: { year: "2025" } }), { verifyTokens: true });
    expect(changeAt(plan, "tenancy_authorization.acme_prod")).toMatchObject({
      action: "update",
      notes: ["the token in the store is no longer good"],
    });
    expect(plan.access).toMatchObject([
      { entries: [{ kind: "token", says: expect.stringMatching(/^a new token; an earlier one/) as string }] },
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

  test("that was revoked outside leaves of those that it replaced the ones that are still good", async () => {
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
        "the token in the store is no longer good",
      ]);
    },
  );

  test("has a key as far as its login and its name are known", async () => {
    const project = await start();
    const build: Build = (stack) => {
      const other = new Account(stack, "other", { name: "other" });
      const way = { loginWith: "temporary_password" } as const;
      new Authorization(stack, "named_later", { login: "system", name: `for ${other.id}`, ...way });
      new Authorization(stack, "of_somebody", { login: `${other.id}@other`, name: "prod", ...way });
    };
    const plan = await project.plan(build, { initStore: true });
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
    await project.apply(build, { initStore: true });
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

  describe("of a user who is not declared", () => {
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
      await project.apply(build, { initStore: true });
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
          profiles.map((profile) => ({ ...profile, login: other[profile.login] ?? profile.login })),
        { describeCaller: { user: true } },
      );
      expect(actions(await project.plan(build))).toEqual(["create tenancy_authorization.token"]);
    });

    test.each([
      ["the service lists users without ids", ({ id: _id, ...profile }: Listed) => profile, undefined],
      ["the store does not say whose it is", (profile: Listed) => profile, () => "null"],
      [
        "the store has the user's serial number",
        (profile: Listed) => profile,
        ({ service }: Project) => JSON.stringify(service.records.profile("csi@acme").serial),
      ],
    ])("stays as it is where %s", async (_how, shown, userId) => {
      const project = await withToken((profiles) =>
        profiles.map((profile) => (profile.login === "csi@acme" ? shown(profile) : profile)),
      );
      if (userId !== undefined) {
        const text = await readFile(project.store, "utf8");
        await writeFile(project.store, text.replace(/"user_id": "[^"]*"/, `"user_id": ${userId(project)}`));
      }
      project.service.clearRequests();
      expect(actions(await project.plan(build))).toEqual([]);
      expect(project.service.requests.filter(({ path }) => /null|undefined/.test(path))).toEqual([]);
    });

    test.each([
      ["is created again where that is gone", true, ["create tenancy_authorization.token"]],
      ["stays as it is where that is only hidden", false, []],
    ])("%s, and the store does not say who that was", async (_how, isGone, planned) => {
      const project = await withToken(hidden);
      if (isGone) project.service.records.deleteProfile("csi@acme");
      const text = await readFile(project.store, "utf8");
      await writeFile(project.store, text.replace(/"user_id": "[^"]*"/, '"user_id": null'));
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

  test("that somebody else made, and that is not in the store, is neither shown nor touched", async () => {
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
    await project.apply(declared(login), { initStore: true });
    const found = await findings(project.plan(declared(login, leaving), options));
    expect(found).toMatchObject([
      { code: "TENANCY_TOKEN_WITHOUT_USER", address: "tenancy_authorization.token" },
    ]);
    expect(found[0]?.summary).toContain(lost);
  });

  test("of another owner's stack in the same store is told of in a warning", async () => {
    const project = await start();
    const users = (stack: TerraformStack, ...names: readonly string[]) => {
      const none = Permissions.none();
      const members = Object.fromEntries(names.map((name) => [name, { permissions: none }]));
      new Tenant(stack, "acme", { name: "acme", permissions: none, users: members });
    };
    await project.apply(
      (stack) => {
        users(stack, "csi", "joe");
        const team = { alias: "team", owner: "team-b", baseUrl: project.service.baseUrl };
        const provider = new TenancyProvider(stack, "team", team);
        const token = { login: "csi@acme", name: "b", loginWith: "temporary_password", provider };
        new Authorization(stack, "b", token).node.addDependency(stack.node.findChild("acme"));
      },
      { initStore: true },
    );
    const plan = await project.plan((stack) => users(stack, "joe"));
    expect(actions(plan)).toEqual(['delete tenancy_user_profile.undeclared["csi@acme"]']);
    expect(plan.warnings).toMatchObject([
      {
        code: "TENANCY_ENDS_ANOTHERS_TOKEN",
        address: 'tenancy_user_profile.undeclared["csi@acme"]',
        summary: expect.stringMatching(/"csi@acme\/b".* "team-b", ceases with the user profile/) as string,
      },
    ]);
  });

  test("is no reason to refuse a plan that leaves its user alone, or a destroy", async () => {
    const project = await start();
    await project.apply(declared("csi@acme"), { initStore: true });
    const fewer = declared("csi@acme", { gone: ["csi@acme", "joe@acme"] });
    const plans = [
      await project.plan(fewer, { only: ["joe@acme"] }),
      await project.plan(fewer, { noPrune: true }),
      await project.plan(declared("csi@acme"), { destroy: true, allowAccountDeletion: true, maxDeletes: 99 }),
    ];
    expect(plans.map((plan) => actions(plan).length)).toEqual([1, 0, 13]);
  });
});

describe("rotation", () => {
  const week = (number: number, more: object = {}) => csi({ keepers: { week: String(number) }, ...more });

  test("keeps the old token good for a while, and revokes the oldest when there are too many", async () => {
    const project = await start();
    await project.apply(week(1));
    const first = (await kept(project)).tokens[0]!.record;
    const rotated = await project.apply(week(2));
    expect(actions(rotated.plan)).toEqual(["update tenancy_authorization.acme_prod"]);
    const [second] = (await kept(project)).tokens;
    expect(second?.previous.map(({ serial }) => serial)).toEqual([first.serial]);
    expect(await isGood(project, first)).toBe(true);
    expect(await isGood(project, second!.record)).toBe(true);
    expect(actions(await project.plan(week(2)))).toEqual([]);
    await project.apply(week(3), { retireEarly: true });
    expect(await isGood(project, first)).toBe(false);
    expect(await isGood(project, second!.record)).toBe(true);
  });

  test("that would end an earlier token before its time is refused, until it is allowed or more of them are kept", async () => {
    const project = await start();
    await project.apply(week(1));
    const first = (await kept(project)).tokens[0]!.record;
    await project.apply(week(2));
    const [previous] = (await kept(project)).tokens[0]!.previous;
    const until = new Date(Date.parse(previous!.retired_at) + 7 * 24 * 60 * 60 * 1000).toISOString();
    project.service.clearRequests();
    expect(await findings(project.plan(week(3)))).toMatchObject([
      {
        code: "TENANCY_RETIRES_EARLY",
        address: "tenancy_authorization.acme_prod",
        attribute: ["retain_previous"],
        summary: `rotating "csi@acme/prod" would revoke ${first.serial}, which was to stay good until ${until}`,
      },
    ]);
    expect(writes(project.service.requests)).toEqual([]);
    expect(actions(await project.plan(week(3), { retireEarly: true }))).toHaveLength(1);
    expect(actions(await project.plan(week(3, { retainPreviousFor: "0s" })))).toHaveLength(1);
    await project.apply(week(3, { retainPrevious: 2 }));
    expect(await isGood(project, first)).toBe(true);
  });

  test("follows from keepers that only the apply will tell, also where they are secret", async () => {
    const project = await start();
    const build =
      (keepers: unknown): Build =>
      (stack) => {
        const other = new Authorization(stack, "other", { name: "other" });
        new Authorization(stack, "own", { name: "own" }).addOverride("keepers", keepers);
        other.addOverride("count", typeof keepers === "string" ? 1 : 0);
      };
    await project.apply(build({ week: "1" }), { initStore: true });
    const plan = await project.plan(build("${jsondecode(tenancy_authorization.other[0].access_token)}"));
    expect(actions(plan)).toContain("update tenancy_authorization.own");
  });

  test("does not follow from keepers that are ignored", async () => {
    const project = await start();
    const build =
      (number: number): Build =>
      (stack) => {
        const token = new Authorization(stack, "own", { name: "own", keepers: { week: String(number) } });
        token.lifecycle = { ignoreChanges: ["keepers"] };
      };
    await project.apply(build(1), { initStore: true });
    const first = (await kept(project)).tokens[0]!.record;
    expect(actions(await project.plan(build(2)))).toEqual([]);
    await project.apply(build(2));
    expect((await kept(project)).tokens[0]!.record.serial).toBe(first.serial);
  });

  test("without overlap revokes the old token at once", async () => {
    const project = await start();
    await project.apply(week(1));
    const first = (await kept(project)).tokens[0]!.record;
    await project.apply(week(2, { retainPreviousFor: "0s" }));
    expect(await isGood(project, first)).toBe(false);
    expect((await kept(project)).tokens[0]?.previous).toEqual([]);
    expect(actions(await project.plan(week(2, { retainPreviousFor: "0s" })))).toEqual([]);
  });

  test("revokes what was replaced long enough ago at the next apply", async () => {
    const project = await start();
    await project.apply(week(1));
    const first = (await kept(project)).tokens[0]!.record;
    await project.apply(week(2));
    const text = await readFile(project.store, "utf8");
    await writeFile(
      project.store,
      text.replace(/"retired_at": "[^"]*"/, '"retired_at": "2020-01-01T00:00:00.000Z"'),
    );
    const { plan } = await project.apply(week(2));
    expect(actions(plan)).toEqual(["update tenancy_authorization.acme_prod"]);
    expect(await isGood(project, first)).toBe(false);
  });
});

describe("an absent store", () => {
  test("is an error where a declared token's user is live, until --init-store", async () => {
    const project = await start();
    await project.apply(csi());
    await rm(dirname(project.store), { recursive: true });
    expect(codes(await findings(project.plan(csi())))).toEqual(["TENANCY_STORE_ABSENT"]);
    const applied = await project.apply(csi(), { initStore: true });
    expect(creations(applied)).toBe(1);
    expect(actions(await project.plan(csi()))).toEqual([]);
  });

  const lose = (project: Project) => rm(dirname(project.store), { recursive: true });

  test("that an apply of one object makes again does not let the next apply create it a second time", async () => {
    const project = await start();
    await project.apply(csi());
    await lose(project);
    const other: Build = (stack) => {
      csi()(stack);
      new Account(stack, "other", { name: "other", permissions: {} });
    };
    await project.apply(other, { only: ["tenancy_account.other"] });
    for (let run = 0; run < 2; run++) {
      const [refusal, ...more] = await findings(project.plan(other));
      expect(more).toEqual([]);
      expect(refusal?.code).toBe("TENANCY_STORE_ABSENT");
      expect(refusal?.summary).toContain("users of declared tokens were live already: csi@acme/prod");
      await project.apply(other, { exclude: ["tenancy_authorization.acme_prod"] });
    }
    expect(project.service.records.authorizations).toHaveLength(1);
    expect(creations(await project.apply(other, { initStore: true }))).toBe(1);
    // Once it is kept, no word is needed any more, be it created again.
    project.service.records.revokeToken((await kept(project)).tokens[0]!.record.serial);
    expect(creations(await project.apply(other, { verifyTokens: true }))).toBe(1);
  });

  test("notes users and not logins, so the token of a user who is made anew is created", async () => {
    const project = await start();
    await project.apply(csi());
    await lose(project);
    await project.apply(csi(), { exclude: ["tenancy_authorization.acme_prod"], initStore: true });
    expect(existsSync(project.store)).toBe(false);
    await project.apply(csi({}, { email: "csi@acme.example" }), {
      exclude: ["tenancy_authorization.acme_prod"],
    });
    expect(codes(await findings(project.plan(csi())))).toEqual(["TENANCY_STORE_ABSENT"]);
    project.service.records.deleteProfile("csi@acme");
    expect(creations(await project.apply(csi()))).toBe(1);
  });

  test("of one stack is missed although the same file keeps what another stack has", async () => {
    const project = await start();
    await project.apply(csi());
    await lose(project);
    const other = project.synthesize((stack) => void new Account(stack, "other", { name: "other" }), {
      owner: "other-team",
    });
    await project.apply(other);
    const [refusal, ...more] = await findings(project.plan(csi()));
    expect(refusal).toMatchObject({ code: "TENANCY_STORE_ABSENT" });
    expect(codes(more)).toEqual(["TENANCY_STORE_ELSEWHERE"]);
    expect(refusal?.summary).toContain("keeps nothing for http://127.0.0.1");
  });

  test("of a run that cannot tell which tokens are declared takes every user for doubtful", async () => {
    const project = await start();
    const counted: Build = (stack) => {
      csi()(stack);
      const other = new Account(stack, "other", { name: "other", permissions: {} });
      const many = new Authorization(stack, "many", { login: "jane@acme", name: "x" });
      many.addOverride("count", `\${length(${other.fqn}.id) > 0 ? 1 : 0}`);
    };
    await project.apply(csi());
    await lose(project);
    await project.apply(counted, { only: ["tenancy_account.other"] });
    const [refusal] = await findings(project.plan(counted));
    expect(refusal?.summary).toContain("csi@acme/prod, jane@acme/x");
  });

  test("of a first run that makes a token's user says nothing of other users, whose tokens are created later", async () => {
    const project = await start();
    project.service.records.createAccount({ name: "beta" });
    project.service.records.createProfile("beta", { username: "bob" });
    const build =
      (isMore: boolean): Build =>
      (stack) => {
        const account = new Account(stack, "acme", { name: "acme", permissions: {} });
        const user = new UserProfile(stack, "csi", {
          username: "csi",
          accountId: account.id,
          permissions: {},
        });
        const ephemeral = { loginWith: "temporary_password" };
        new Authorization(stack, "token", { name: "prod", login: user.login, ...ephemeral });
        if (isMore) new Authorization(stack, "more", { name: "new", login: "bob@beta", ...ephemeral });
      };
    await project.apply(build(false));
    expect(creations(await project.apply(build(true)))).toBe(1);
  });

  test("is made where the users are made with it", async () => {
    const project = await start();
    expect(actions(await project.plan(csi()))).toContain("create tenancy_authorization.acme_prod");
  });

  test("an entry that is missing in a store that is there is created", async () => {
    const project = await start();
    await project.apply(csi(null));
    const { result } = await project.apply(csi());
    expect(result.ok).toBe(true);
  });
});

describe("in CI", () => {
  test("creating tokens is refused beforehand, unless the store outlives the job", async () => {
    const project = await start();
    const ci = { environment: { CI: "true" } };
    expect(codes(await findings(project.plan(csi(), ci)))).toEqual(["TENANCY_TOKEN_CREATION_REFUSED"]);
    expect(writes(project.service.requests)).toEqual([]);
    await project.plan(csi(), { ...ci, store: { path: project.store } });
    await project.plan(csi(), { environment: { CI: "true", TENANCY_STORE_KEY: "k".repeat(40) } });
    await project.apply(csi(), { store: { path: project.store } });
    expect(actions(await project.plan(csi(), ci))).toEqual([]);
    const rotated = csi({ keepers: { week: "2" } });
    expect(codes(await findings(project.plan(rotated, ci)))).toEqual(["TENANCY_TOKEN_CREATION_REFUSED"]);
  });
});

describe("a token that was revoked outside", () => {
  test("is trusted at plan, found out by --verify-tokens, and created again", async () => {
    const project = await start();
    await project.apply(csi());
    const { record } = (await kept(project)).tokens[0]!;
    project.service.records.revokeToken(record.serial);
    expect(actions(await project.plan(csi()))).toEqual([]);
    const { plan } = await project.apply(csi(), { verifyTokens: true });
    expect(actions(plan)).toEqual(["create tenancy_authorization.acme_prod"]);
    expect(await isGood(project, (await kept(project)).tokens[0]!.record)).toBe(true);
  });

  test.each([
    ["", undefined],
    [", also where one that it replaced is still good", { keepers: { year: "2025" } }],
  ])("fails the apply in its own branch, which says what to do%s", async (_where, rotated) => {
    const project = await start();
    await project.apply(csi());
    await project.apply(csi(rotated));
    project.service.records.revokeToken((await kept(project)).tokens[0]!.record.serial);
    const build: Build = (stack) => {
      csi(rotated)(stack);
      new Account(stack, "other", { name: "other", permissions: {} });
    };
    const { result } = await project.run(build);
    expect(result.applied.map(({ key }) => key)).toEqual(["other"]);
    expect(result.failed).toMatchObject([
      { change: { key: "csi@acme/prod" }, diagnostics: [{ code: "TENANCY_MOVED_ON" }] },
    ]);
    expect(result.failed[0]?.diagnostics[0]?.advice).toBe("Run again: then a new one is created.");
  });

  test("is kept where its refusal proves nothing", async () => {
    const project = await start();
    await project.apply(csi());
    project.service.records.patchProfile("csi@acme", { activated: false });
    const plan = await project.plan(csi(), { verifyTokens: true });
    expect(actions(plan)).toEqual([]);
    expect(codes(plan.warnings)).toEqual(["TENANCY_TOKEN_NOT_VERIFIED"]);
    project.service.records.patchProfile("csi@acme", { activated: true });
    project.service.fail({
      path: "/api/status/authorization",
      // The first one is the run's own.
      skip: 1,
      status: 403,
    });
    expect(codes((await project.plan(csi(), { verifyTokens: true })).warnings)).toEqual([
      "TENANCY_TOKEN_NOT_VERIFIED",
    ]);
  });
});

describe("creating a token that goes wrong", () => {
  test("sets no password for another user who has come to the login since the plan", async () => {
    const project = await start();
    const { service } = project;
    await project.apply(csi(null));
    service.fail({
      method: "GET",
      path: "/api/user-profile",
      alter: (body) => {
        service.records.deleteProfile("csi@acme");
        service.records.createProfile("acme", { username: "csi" });
        return body;
      },
    });
    const applied = await project.run(csi());
    const [finding] = applied.result.failed.flatMap(({ diagnostics }) => diagnostics);
    expect(finding).toMatchObject({
      code: "TENANCY_MOVED_ON",
      summary: expect.stringMatching(
        /^user "csi@acme" has changed since it was planned: the login belongs to another user, /,
      ) as string,
    });
    expect(writes(applied.requests)).toEqual([]);
    expect((await kept(project)).intents).toEqual([]);
    expect(service.records.profile("csi@acme").password).toBeNull();
  });

  test("leaves an intent when its answer is lost, which is reported until settled", async () => {
    const project = await start();
    project.service.fail({ method: "POST", path: "/api/authorization", when: "after", reset: true });
    const { result } = await project.run(csi());
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_ANSWER_LOST"]);
    expect((await kept(project)).intents).toHaveLength(1);
    const plan = await project.plan(csi());
    expect(codes(plan.warnings)).toEqual(["TENANCY_OPEN_INTENT"]);
    expect(actions(plan)).toEqual(["create tenancy_authorization.acme_prod"]);
  });

  test("fails where the service ends the token with the password that it was created with", async () => {
    const project = await start({ passwordEndsTokens: true });
    const { result } = await project.run(csi());
    expect(result.ok).toBe(false);
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_TOKENS_ENDED"]);
    const { record } = (await kept(project)).tokens[0]!;
    expect(await isGood(project, record)).toBe(false);
    // The proof is noted: the plan tells it, and `token list` does, and neither asks the service for it.
    for (const verifyTokens of [false, true]) {
      project.service.clearRequests();
      const plan = await project.plan(csi(), { verifyTokens });
      expect(actions(plan)).toEqual(["create tenancy_authorization.acme_prod"]);
      expect(changeAt(plan, "tenancy_authorization.acme_prod").notes).toEqual([
        "the token in the store is no longer good",
      ]);
      const verdicts = project.service.requests.filter(({ path }) => path === "/api/status/authorization");
      if (!verifyTokens) expect(verdicts).toHaveLength(1);
    }
    const refusedAt = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    project.service.clearRequests();
    const source = project.synthesize(csi());
    expect(await listTokens([source], project.options())).toMatchObject([
      { tokens: [{ serial: record.serial, persistent: true, refusedAt }] },
    ]);
    expect(project.service.requests).toEqual([]);
    // Creating a token ends the tokens before it, and its own: what is noted is of the new one alone.
    expect((await project.run(csi())).result.ok).toBe(false);
    const [token] = (await kept(project)).tokens;
    expect(token!.record.serial).not.toBe(record.serial);
    expect(token!.refused).toEqual([{ serial: token!.record.serial, refused_at: refusedAt }]);
  });

  describe("leaves the password that was set for it, where the service does not take it away", () => {
    const where = ({ body }: { readonly body: unknown }) =>
      (body as { readonly password?: unknown }).password === null;
    const codesOf = ({ result }: Applied) => codes(result.failed.flatMap(({ diagnostics }) => diagnostics));

    async function withLeftPassword(options: Parameters<typeof start>[0] = {}): Promise<Project> {
      const project = await start(options);
      project.service.fail({ method: "PATCH", where, status: 403, times: 9 });
      const applied = await project.run(csi());
      expect(applied.result.ok).toBe(false);
      expect(codesOf(applied)).toEqual(["TENANCY_PASSWORD_LEFT"]);
      expect(project.service.records.profile("csi@acme").password).not.toBeNull();
      const [token] = (await kept(project)).tokens;
      expect(await isGood(project, token!.record)).toBe(true);
      return project;
    }

    test.each([
      ["refuses to set it", { path: /user-profile/, status: 403, times: 9 }],
      ["takes it away, and the answer is lost", { where, status: 500, times: 99, when: "after" as const }],
    ])("and no other: not where it %s", async (_what, fault) => {
      const project = await start();
      project.service.fail({ method: "PATCH", ...fault });
      const applied = await project.run(csi());
      expect(project.service.records.profile("csi@acme").password).toBeNull();
      expect(codesOf(applied)).not.toContain("TENANCY_PASSWORD_LEFT");
      expect(await readFile(project.store, "utf8")).not.toContain("temporary_passwords");
    });

    test("which every plan tells, and the next apply that can takes it away", async () => {
      const project = await withLeftPassword();
      for (let run = 0; run < 2; run++) {
        const { plan } = await project.run(csi());
        expect(actions(plan)).toEqual([]);
        expect(codes(plan.warnings)).toEqual(["TENANCY_PASSWORD_LEFT"]);
      }
      expect(project.service.records.profile("csi@acme").password).not.toBeNull();
      project.service.clearFaults();
      await project.apply(csi());
      expect(project.service.records.profile("csi@acme").password).toBeNull();
      expect((await project.plan(csi())).warnings).toEqual([]);
      expect(await readFile(project.store, "utf8")).not.toContain("temporary_passwords");
    });

    test.each([
      ["the user", csi()],
      ["a user who changes besides", csi({}, { email: "csi@example.org" })],
      ["a user who is not declared any more", csi(null, null)],
    ])("and what the apply that takes it away remembers of %s is no drift", async (_who, build) => {
      const project = await withLeftPassword();
      project.service.clearFaults();
      await project.run(build, { noPrune: true });
      const left = await readFile(project.store, "utf8");
      expect((await drift(project.synthesize(build), project.options())).drift).toEqual([]);
      await project.run(build, { noPrune: true });
      expect(await readFile(project.store, "utf8")).toBe(left);
    });

    test("and which keeps no later token of the user from being created", async () => {
      const project = await withLeftPassword();
      project.service.clearFaults();
      expect(creations(await project.apply(csi({ keepers: { year: "2027" } })))).toBe(1);
      expect(project.service.records.profile("csi@acme").password).toBeNull();
      expect((await project.plan(csi({ keepers: { year: "2027" } }))).warnings).toEqual([]);
    });

    test("where the service never takes it away, the warning names a way out, and that ends it", async () => {
      const project = await withLeftPassword();
      project.service.fail({ method: "PATCH", where, status: 403, times: 999 });
      const { plan } = await project.run(csi());
      expect(plan.warnings.map(({ advice }) => advice)).toEqual([
        expect.stringContaining("declare a password for the user"),
      ]);
      const build: Build = (stack) => csi({}, { password: Secret.variable("password") })(stack);
      const options = { environment: { TF_VAR_password: "Of her own: 1" } };
      const { result } = await project.apply(build, options);
      expect(result.diagnostics).toEqual([]);
      expect((await project.plan(build, options)).warnings).toEqual([]);
    });

    test("until a declared password takes its place, which stays", async () => {
      const project = await withLeftPassword();
      project.service.clearFaults();
      const build: Build = (stack) => csi({}, { password: Secret.variable("password") })(stack);
      const options = { resetPasswords: true, environment: { TF_VAR_password: "Of her own: 1" } };
      expect(codes((await project.plan(build, options)).warnings)).not.toContain("TENANCY_PASSWORD_LEFT");
      await project.apply(build, options);
      await project.apply(build, options);
      expect(project.service.records.profile("csi@acme").password).not.toBeNull();
    });

    test("until a password takes its place that is declared for a user who was taken in, once that is sent", async () => {
      const project = await start();
      const { service } = project;
      service.records.createAccount({ name: "acme" });
      service.records.createProfile("acme", { username: "csi" });
      const token: Build = (stack) =>
        void new Authorization(stack, "token", {
          login: "csi@acme",
          name: "prod",
          loginWith: "temporary_password",
        });
      service.fail({ method: "PATCH", where, status: 403, times: 9 });
      expect(codesOf(await project.run(token, { initStore: true }))).toEqual(["TENANCY_PASSWORD_LEFT"]);
      service.clearFaults();
      const build: Build = (stack) => {
        token(stack);
        const csi = { permissions: none, password: Secret.variable("password") };
        new Tenant(stack, "acme", { name: "acme", permissions: none, users: { csi } }).importFrom({
          users: true,
        });
      };
      const options = { environment: { TF_VAR_password: "Of her own: 1" } };
      // The service refuses it at first: what was left is still there, and is still known.
      service.fail({ method: "PATCH", path: /user-profile/, status: 403, times: 9 });
      const sent = ["update tenancy_account.acme", "update tenancy_user_profile.acme_csi"];
      expect(actions((await project.run(build, options)).plan)).toEqual(sent);
      service.clearFaults();
      const { plan, requests } = await project.apply(build, options);
      expect(plan.warnings).toEqual([]);
      expect(requests.filter(({ method }) => method === "PATCH").map(({ body }) => body)).toContainEqual(
        expect.objectContaining({ password: "Of her own: 1" }),
      );
      await project.apply(build, options);
      expect(service.records.profile("csi@acme").password).not.toBeNull();
      expect(await readFile(project.store, "utf8")).not.toContain("temporary_passwords");
    });

    test("until another owner's password takes its place, which stays", async () => {
      const project = await start();
      const build =
        (user: object): Build =>
        (stack) => {
          const provider = new TenancyProvider(stack, "other", { alias: "other", owner: "other" });
          const users = { csi: { permissions: none, ...user } };
          const login = new Tenant(stack, "acme", { name: "acme", permissions: none, users }).user(
            "csi",
          ).login;
          const loginWith = "temporary_password";
          new Authorization(stack, "token", { login, name: "prod", loginWith, provider });
        };
      project.service.fail({ method: "PATCH", where, status: 403, times: 9 });
      await project.run(build({}));
      project.service.clearFaults();
      const declared = build({ password: Secret.variable("password") });
      const options = { environment: { TF_VAR_password: "Of her own: 1" } };
      await project.apply(declared, options);
      await project.apply(declared, options);
      expect(project.service.records.profile("csi@acme").password).not.toBeNull();
    });

    test("and which is not taken for gone where the user is not found, and is live", async () => {
      const project = await withLeftPassword();
      project.service.clearFaults();
      project.service.fail({ method: "GET", path: /user-profile\/./, status: 404, times: 9 });
      expect(codes((await project.apply(csi())).result.diagnostics)).toEqual(["TENANCY_PASSWORD_LEFT"]);
      project.service.clearFaults();
      await project.apply(csi());
      expect(project.service.records.profile("csi@acme").password).toBeNull();
    });

    test("and which takes the user's tokens along when it is taken away: that is an error, and the next apply creates them", async () => {
      const project = await withLeftPassword({ passwordEndsTokens: true });
      project.service.clearFaults();
      const { result } = await project.run(csi(), { verifyTokens: true });
      expect(project.service.records.profile("csi@acme").password).toBeNull();
      expect(result.ok).toBe(false);
      expect(codes(result.diagnostics)).toEqual(["TENANCY_KEPT_TOKENS_ENDED"]);
      expect(actions(await project.plan(csi()))).toEqual(["create tenancy_authorization.acme_prod"]);
    });

    test("and which a later user of the login does not have", async () => {
      const project = await withLeftPassword();
      project.service.clearFaults();
      project.service.records.deleteProfile("csi@acme");
      await project.apply(csi());
      expect((await project.plan(csi())).warnings).toEqual([]);
      expect(await readFile(project.store, "utf8")).not.toContain("temporary_passwords");
    });
  });

  test.each([
    ["is kept no longer once a new token is created", true, {}],
    ["is forgotten where an apply that tries the token finds it good", false, { verifyTokens: true }],
  ])("the proof that a token has ended %s", async (_what, hasEnded, options) => {
    const project = await start();
    await project.apply(csi());
    const { record } = (await kept(project)).tokens[0]!;
    if (!hasEnded) {
      await noteRefused(project, [record]);
    } else {
      project.service.records.revokeToken(record.serial);
      // An apply that trusted the plan finds it, and notes it.
      const { result } = await project.run(csi());
      expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_MOVED_ON"]);
    }
    expect(actions(await project.plan(csi()))).toEqual(["create tenancy_authorization.acme_prod"]);
    await project.apply(csi(), options);
    const [token] = (await kept(project)).tokens;
    expect(token!.record.serial === record.serial).toBe(!hasEnded);
    expect(token!.refused).toEqual([]);
    expect(await isGood(project, token!.record)).toBe(true);
    expect(actions(await project.plan(csi()))).toEqual([]);
  });

  test("a token that two passing refusals gave out as ended is tried before a new one takes its place, and stays", async () => {
    const project = await start();
    await project.apply(csi());
    const { record } = (await kept(project)).tokens[0]!;
    const made = await project.plan(csi());
    let asked = 0;
    project.service.fail({
      path: "/api/status/authorization",
      // The token, the run's own credential, and the token once more.
      where: () => ++asked !== 2,
      times: 2,
      status: 401,
    });
    const [failure] = (await apply(made)).failed;
    expect(failure?.diagnostics).toMatchObject([
      { code: "TENANCY_MOVED_ON", advice: "Run again: then a new one is created." },
    ]);
    project.service.clearFaults();
    expect((await kept(project)).tokens[0]!.refused).toMatchObject([{ serial: record.serial }]);
    const again = await project.run(csi());
    expect(actions(again.plan)).toEqual(["create tenancy_authorization.acme_prod"]);
    expect(again.result.failed[0]?.diagnostics).toMatchObject([
      {
        code: "TENANCY_MOVED_ON",
        summary: expect.stringContaining(`after all: ${record.serial} (200)`) as string,
        advice: expect.stringMatching(/^Run again: then the token counts as good/) as string,
      },
    ]);
    expect(writes(again.requests)).toEqual([]);
    expect(await isGood(project, record)).toBe(true);
    expect((await kept(project)).tokens[0]!.refused).toEqual([]);
    expect(actions((await project.apply(csi())).plan)).toEqual([]);
  });

  test("a token that was replaced, and is noted as refused with its successor, is tried, and keeps its time", async () => {
    const project = await start();
    const declared = csi({ keepers: { year: "2025" } });
    await project.apply(csi());
    await project.apply(declared);
    const { record, previous } = (await kept(project)).tokens[0]!;
    project.service.records.revokeToken(record.serial);
    await noteRefused(project, [record, ...previous]);
    const { result } = await project.run(declared);
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_MOVED_ON"]);
    await project.apply(declared);
    const [after] = (await kept(project)).tokens;
    expect(after!.previous.map(({ serial }) => serial)).toEqual([previous[0]!.serial]);
    for (const one of [after!.record, previous[0]!]) expect(await isGood(project, one)).toBe(true);
  });

  test("a plan from a snapshot tells that a token has ended, as the plan that asks the service does", async () => {
    const project = await start({ passwordEndsTokens: true });
    await project.run(csi());
    const text = await takeSnapshot([project.synthesize(csi())], project.options());
    const file = join(project.folder, "live.json");
    await writeFile(file, text);
    expect(text).not.toContain((await kept(project)).tokens[0]!.record.access_token);
    const plan = await project.plan(csi(), { fromSnapshot: { file } });
    expect(actions(plan)).toEqual(["create tenancy_authorization.acme_prod"]);
  });

  test("fails where the service ends another token of the user meanwhile, which the store keeps", async () => {
    const project = await start();
    const build =
      (...names: readonly string[]): Build =>
      (stack) => {
        const acme = new Tenant(stack, "acme", {
          name: "acme",
          permissions: Permissions.none(),
          users: { csi: { permissions: none } },
        });
        for (const name of names) acme.addToken(name, { user: "csi" });
      };
    await project.apply(build("prod"));
    const { serial } = (await kept(project)).tokens[0]!.record;
    project.service.fail({
      method: "PATCH",
      where: ({ body }) => (body as { readonly password?: unknown }).password === null,
      alter: (body) => {
        project.service.records.revokeToken(serial);
        return body;
      },
    });
    const { result } = await project.run(build("prod", "test"));
    expect(result.failed).toMatchObject([
      {
        change: { key: "csi@acme/test" },
        diagnostics: [{ code: "TENANCY_TOKENS_ENDED", summary: expect.stringContaining(serial) as string }],
      },
    ]);
    expect(actions(await project.plan(build("prod", "test")))).toEqual([
      "create tenancy_authorization.acme_prod",
    ]);
  });

  test("leaves nothing when the service refused", async () => {
    const project = await start();
    project.service.fail({ method: "POST", path: "/api/authorization", status: 403 });
    const { result } = await project.run(csi());
    expect(result.ok).toBe(false);
    expect((await kept(project)).intents).toEqual([]);
    await project.apply(csi());
  });

  test("revokes what a later run could not know: a token that replaced a stale one", async () => {
    const project = await start();
    await project.apply(csi());
    const stale = (await kept(project)).tokens[0]!.record;
    // The service refuses the token twice, with a user who is well: it looks gone.
    for (let time = 0; time < 2; time++)
      project.service.fail({ path: "/api/status/authorization", skip: 1, status: 401 });
    await project.apply(csi(), { verifyTokens: true });
    const after = await kept(project);
    expect(after.tokens[0]!.record.serial).not.toBe(stale.serial);
    expect(await isGood(project, stale)).toBe(false);
    expect(after.failed_revocations).toEqual([]);
  });

  test("fails a run that leaves a token good which it replaced, and warns at the next", async () => {
    const project = await start({ revocation: false });
    await project.apply(csi());
    const stale = (await kept(project)).tokens[0]!.record;
    for (let time = 0; time < 2; time++)
      project.service.fail({ path: "/api/status/authorization", skip: 1, status: 401 });
    const { result } = await project.run(csi(), { verifyTokens: true });
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [{ severity: "error", code: "TENANCY_UNREVOKED_TOKEN" }],
    });
    expect((await kept(project)).failed_revocations).toMatchObject([{ serial: stale.serial }]);
    expect((await project.apply(csi())).result.diagnostics).toMatchObject([
      { severity: "warning", code: "TENANCY_UNREVOKED_TOKEN" },
    ]);
  });

  test.each([
    ["the service revokes it", false],
    ["it is found refused, by a caller who may not revoke it any more", true],
  ])("a revocation that failed is tried at every apply until %s", async (_what, isRefusedAlready) => {
    const project = await start();
    await project.apply(csi());
    const stale = (await kept(project)).tokens[0]!.record;
    const text = await readFile(project.store, "utf8");
    const store = JSON.parse(text) as { parts: [{ tokens: object[]; failed_revocations: object[] }] };
    const other = project.service.records.createToken("csi@acme");
    store.parts[0].failed_revocations.push({
      login: "csi@acme",
      name: "old",
      id: other.id,
      serial: other.serial,
      access_token: other.access_token,
      failed_at: "2026-01-01T00:00:00.000Z",
    });
    await writeFile(project.store, JSON.stringify(store));
    project.service.fail({ method: "DELETE", path: /authorization/, status: 500, times: 20 });
    const build = project.synthesize(csi(), { owner: "acme-platform", retryTimeout: "0s" });
    const first = await project.run(build);
    expect(codes(first.result.diagnostics)).toEqual(["TENANCY_UNREVOKED_TOKEN"]);
    expect(codes((await project.plan(csi())).warnings)).toEqual(["TENANCY_UNREVOKED_TOKEN"]);
    project.service.clearFaults();
    if (isRefusedAlready) {
      project.service.records.revokeToken(other.serial);
      project.service.fail({ method: "DELETE", path: /authorization/, status: 403 });
    }
    await project.apply(csi());
    expect(await isGood(project, other)).toBe(false);
    expect(await isGood(project, stale)).toBe(true);
    expect((await kept(project)).failed_revocations).toEqual([]);
  });
});

test("what keeps a token from being created is said by the plan", async () => {
  const project = await start();
  const switched = csi({ loginWith: "switch_user" });
  expect(codes(await findings(project.plan(switched)))).toEqual(["TENANCY_SWITCH_USER_UNSET"]);
  const unspoken = csi({ loginWith: "password" });
  expect(codes(await findings(project.plan(unspoken)))).toEqual(["TENANCY_TOKEN_CREATION_IMPOSSIBLE"]);
  expect(writes(project.service.requests)).toEqual([]);
});

test("what keeps a token from being replaced is said by the plan, and one that stays needs nothing", async () => {
  const project = await start();
  await project.apply(csi());
  const stays = csi({ loginWith: "switch_user" });
  expect(actions(await project.plan(stays))).toEqual([]);
  const replaced = csi({ loginWith: "switch_user", keepers: { year: "2026" } });
  expect(await findings(project.plan(replaced))).toMatchObject([
    { code: "TENANCY_SWITCH_USER_UNSET", address: "tenancy_authorization.acme_prod" },
  ]);
});

test("a token is created with its user's password, and by switching users", async () => {
  const project = await start({ switchUserHeader: "X-Service-SU" });
  const build: Build = (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: {
        csi: { permissions: none, password: Secret.variable("pw") },
        ops: { permissions: none, allowSu: true },
      },
      tokens: { prod: { user: "csi" }, nightly: { user: "ops", loginWith: "switch_user" } },
    });
  };
  const source = project.synthesizeApp((app) => {
    const stack = new TerraformStack(app, "prod");
    new TenancyProvider(stack, "service", { owner: "acme-platform", switchUserHeader: "X-Service-SU" });
    build(stack);
  });
  await project.apply(source, { environment: { TF_VAR_pw: "secret" } });
  expect(project.service.records.authorizations).toHaveLength(2);
});

test("another run's token is not replaced", async () => {
  const project = await start();
  await project.apply(csi(null));
  const late = await project.plan(csi());
  await project.apply(csi());
  const result = await apply(late);
  expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_MOVED_ON"]);
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
