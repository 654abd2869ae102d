/** Which of a plan's changes take something from the run itself, and which objects one plan both deletes and creates. */
import type { DiagnosticsResult } from "../../src/lib/plugin-runtime";
import { alteredService } from "../support/altered-service";
import { asSystem, call, configured, firstSentence, toldInOrder } from "../support/provider";
import { simulators } from "../support/simulators";

const start = simulators();

describe("a run that works with a token", () => {
  async function working() {
    const { simulator } = await start();
    const own = simulator.records.createToken("system");
    const other = simulator.records.createToken("system");
    const provider = await configured(simulator, { TENANCY_TOKEN: own.access_token });
    const { serial, access_token } = own;
    const replaced = [{ serial, access_token, retired_at: new Date().toISOString() }];
    const prior = {
      ...{ id: other.id, serial: other.serial, access_token: other.access_token, previous: [] },
      ...{ login: "system", name: "other", login_with: "temporary_password", retain_previous: 1 },
    };
    return { ...provider, simulator, prior, replaced };
  }

  test("deletes another one, and reads no lists for it", async () => {
    const { token, prior, simulator } = await working();
    expect(await token.planDelete?.({ prior, private: {} }, call)).toMatchObject({ diagnostics: [] });
    expect(simulator.requests.map(({ path }) => path)).not.toContain("/api/user-profile");
  });

  test("does not delete the one that has replaced it", async () => {
    const { token, prior, replaced } = await working();
    const found = await token.planDelete?.({ prior: { ...prior, previous: replaced }, private: {} }, call);
    expect(found?.diagnostics).toMatchObject([
      { severity: "error", detail: expect.stringContaining("TENANCY_SELF_CHANGE") as string },
    ]);
  });

  test("replaces another one on request", async () => {
    const { token, prior } = await working();
    const { login, name, login_with, retain_previous } = prior;
    const config = { login, name, login_with, retain_previous };
    const asked = await token.plan?.({ prior, config, private: {} } as never, call);
    const anew = { prior: null, config, private: asked?.private };
    const found = await token.plan?.(anew as never, call);
    expect(JSON.stringify(found?.diagnostics)).not.toContain("TENANCY_SELF_CHANGE");
  });
});

test("a run that logs in with a password deletes any token", async () => {
  const { simulator } = await start();
  const { id, serial, access_token } = simulator.records.createToken("system");
  const { token } = await configured(simulator, asSystem(simulator));
  const prior = { id, serial, access_token, previous: [], login: "system", name: "any" };
  expect(await token.planDelete?.({ prior, private: {} }, call)).toMatchObject({ diagnostics: [] });
});

test("a change that the run would suffer from is told at its attribute, with the user's login", async () => {
  const { simulator } = await start();
  const { id: account_id } = simulator.records.createAccount({ name: "acme" });
  const password = "s3cret-s3cret";
  const { id, serial } = simulator.records.createProfile("acme", { username: "ci", password });
  const { user } = await configured(simulator, { TENANCY_USERNAME: "ci@acme", TENANCY_PASSWORD: password });
  const declared = { username: "ci", account_id, permissions: {} };
  const prior = { ...declared, id, serial, login: "ci@acme", access_api: true };
  const config = { ...declared, access_api: false };
  const planned = await user.plan?.({ prior, config, private: {} } as never, call);
  expect(planned?.diagnostics).toMatchObject([{ severity: "error", attribute: ["access_api"] }]);
  expect(JSON.stringify(planned?.diagnostics)).toContain("ci@acme");
});

test("a run of which the service does not tell the account is free to change any user: Terraform's users could not allow it", async () => {
  const { simulator } = await start();
  const { id: account_id } = simulator.records.createAccount({ name: "acme" });
  const { id, serial } = simulator.records.createProfile("acme", { username: "ci" });
  const { access_token } = simulator.records.createToken("system");
  const baseUrl = await alteredService(simulator.baseUrl, ({ path }, answer) =>
    path.endsWith("/status/authorization") ? { ...answer, body: {} } : answer,
  );
  const { user } = await configured({ baseUrl }, { TENANCY_TOKEN: access_token });
  const declared = { username: "ci", account_id, permissions: {} };
  const prior = { ...declared, id, serial, login: "ci@acme", access_api: true };
  const config = { ...declared, access_api: false };
  const planned = await user.plan?.({ prior, config, private: {} } as never, call);
  expect(JSON.stringify(planned?.diagnostics)).not.toContain("TENANCY_SELF_CHANGE");
});

describe("one live account", () => {
  const ACME = { name: "acme", permissions: {}, deletion_protection: false };

  async function live() {
    const { simulator } = await start();
    const { account } = await configured(simulator, asSystem(simulator));
    const { planned } =
      (await account.plan?.({ prior: null, config: ACME, private: {} } as never, call)) ?? {};
    const { state } = await account.create({ planned, config: ACME, private: {} } as never, call);
    // Core configures the provider anew for each walk.
    const again = await configured(simulator, asSystem(simulator));
    const asked = { prior: null, config: ACME, private: {} } as never;
    const told = (found: unknown) =>
      (found as DiagnosticsResult).diagnostics?.map(({ severity }) => severity);
    const codes = (found: unknown) =>
      (found as DiagnosticsResult).diagnostics?.map(({ detail = "" }) => detail.split("\n").at(-1)) ?? [];
    const plan = (prior: object | null, config: object, notes: unknown = {}) =>
      again.account.plan?.({ prior, config, private: notes } as never, call);
    const replaced = async () => {
      const other = { ...ACME, name: "globex" };
      const first = await plan(state!, other);
      return [...codes(first), ...codes(await plan(null, other, first?.private))];
    };
    return {
      read: () => again.account.read({ state, private: {} } as never, call),
      created: async () => told(await again.account.plan?.(asked, call)),
      deleted: async () => told(await again.account.planDelete?.({ prior: state!, private: {} }, call)),
      /** Codes of what is told where the account is planned at one address after the other. */
      steps: {
        created: async () => codes(await plan(null, ACME)),
        kept: async () => codes(await plan(state!, ACME)),
        replaced,
        deleted: async () => codes(await again.account.planDelete?.({ prior: state!, private: {} }, call)),
      },
    };
  }

  test("is not deleted at one address once another has it planned as new", async () => {
    const { created, deleted } = await live();
    expect(await created()).toEqual(["warning"]);
    expect(await deleted()).toEqual(["error"]);
  });

  /** What is told of a live record, where nothing tells that this plan deletes it. */
  const FOREIGN = "TENANCY_UNMANAGED";
  const LIVE = "TENANCY_ALREADY_LIVE";
  const KEPT = "TENANCY_DELETED_AND_KEPT";

  test.each([
    [["kept", "kept"] as const, [[], []]],
    [["created", "kept"] as const, [[FOREIGN], [LIVE]]],
    [["kept", "created"] as const, [[], [LIVE]]],
    [["kept", "deleted"] as const, [[], [KEPT]]],
    [["deleted", "kept"] as const, [[], [KEPT]]],
    [["replaced"] as const, [[]]],
    [["created", "replaced"] as const, [[FOREIGN], [LIVE]]],
    [["kept", "replaced"] as const, [[], [KEPT]]],
  ])("is judged at each of its addresses, planned in the order %j", async (order, expected) => {
    const { steps } = await live();
    const told: (readonly unknown[])[] = [];
    for (const step of order) told.push(await steps[step]());
    expect(told).toEqual(expected);
  });

  test("is warned of at each address that declares it, where none deletes it", async () => {
    const { created } = await live();
    expect(await created()).toEqual(["warning"]);
    expect(await created()).toEqual(["warning"]);
  });

  test("is refused at the second address, where it is tainted at the first", async () => {
    const { read, created } = await live();
    await read();
    expect(await created()).toEqual([]);
    expect(await created()).toEqual(["error"]);
  });

  test("is refused where it is tainted, once another address has it planned as new", async () => {
    const { read, created } = await live();
    expect(await created()).toEqual(["warning"]);
    await read();
    expect(await created()).toEqual(["error"]);
  });
});

test("a token that is replaced with its user is forgotten, and the user's others are still told of", async () => {
  const { simulator } = await start();
  const { id: account_id } = simulator.records.createAccount({ name: "acme" });
  const { id, serial } = simulator.records.createProfile("acme", { username: "ci" });
  const { token, user } = await configured(simulator, asSystem(simulator));
  const plan = (name: string, config: object, prior: object | null, notes: unknown = {}) =>
    token.plan?.({ prior, config, private: notes } as never, call);
  for (const name of ["kept", "replaced", "another's"]) {
    const login = name === "another's" ? "jane@acme" : "ci@acme";
    const config = { login, name, login_with: "temporary_password" };
    const prior = { ...config, id: name, serial: `ATH-${name}`, access_token: name };
    const { private: notes } = (await plan(name, config, prior)) ?? {};
    if (name === "replaced") await plan(name, config, null, notes);
  }
  const { state: prior = {} } =
    (await user.read({ state: { username: "ci", account_id, id, serial }, private: {} }, call)) ?? {};
  const found = await user.planDelete?.({ prior, private: {} } as never, call);
  expect(found?.diagnostics?.map(firstSentence)).toEqual(['"ci@acme/kept" ends with its user "ci@acme"']);
});

describe("a kept token whose user goes with the account", () => {
  async function planning() {
    const { simulator } = await start();
    const acme = simulator.records.createAccount({ name: "acme" });
    const jane = simulator.records.createProfile("acme", { username: "jane" });
    const { token, user, account } = await configured(simulator, asSystem(simulator));
    const deleted = async (resource: typeof user, state: object) => {
      const { state: prior } = await resource.read({ state, private: {} } as never, call);
      return (await resource.planDelete?.({ prior, private: {} } as never, call))?.diagnostics ?? [];
    };
    const config = { login: "jane@acme", name: "prod", login_with: "temporary_password" };
    const prior = { ...config, id: "authorization:1:1", serial: "ATH1", access_token: "prod" };
    const steps = {
      token: async () =>
        (await token.plan?.({ prior, config, private: {} } as never, call))?.diagnostics ?? [],
      account: () => deleted(account, { ...acme, allow_nonempty_delete: true, deletion_protection: false }),
      user: () => deleted(user, { ...jane }),
    };
    return (order: readonly (keyof typeof steps)[]) => toldInOrder(steps, order, "jane@acme/prod");
  }

  test.each([
    [["account", "token"] as const],
    [["token", "account"] as const],
    [["token", "account", "user"] as const],
    [["token", "user", "account"] as const],
    [["user", "token", "account"] as const],
  ])("is told once, planned in the order %j", async (order) => {
    const toldOf = await planning();
    expect(await toldOf(order)).toEqual(['"jane@acme/prod" ends with its user "jane@acme"']);
  });
});

describe("a token whose user could not create it", () => {
  async function withUser(access: object) {
    const { simulator } = await start();
    const { id: account_id } = simulator.records.createAccount({ name: "acme" });
    const { id, serial } = simulator.records.createProfile("acme", { username: "csi", ...access });
    const found = await configured(simulator, asSystem(simulator));
    const declared = { username: "csi", account_id, permissions: {} };
    const prior = { ...declared, id, serial, login: "csi@acme", access_api: false };
    const config = { name: "prod", login: "csi@acme", login_with: "temporary_password" };
    const planToken = async () => {
      const planned = await found.token.plan?.({ prior: null, config, private: {} } as never, call);
      return JSON.stringify(planned?.diagnostics);
    };
    return { ...found, prior, declared, planToken };
  }

  test("is refused at the plan", async () => {
    const noAccess = await withUser({ access: { api: false } });
    expect(await noAccess.planToken()).toContain("the user has no API access");
    const factors = await withUser({ two_factor: { auth: "google", secret: "00ff" } });
    expect(await factors.planToken()).toContain("the user logs in with two factors");
    const password = await withUser({ password: "of csi" });
    expect(await password.planToken()).toContain("the user has a password that is not declared");
    expect(await (await withUser({})).planToken()).toBe("[]");
  });

  test("is judged by the user as the same plan leaves the user", async () => {
    const { user, prior, declared, planToken } = await withUser({ access: { api: false } });
    const config = { ...declared, access_api: true };
    await user.plan?.({ prior, config, private: {} } as never, call);
    expect(await planToken()).toBe("[]");
    const withPassword = await withUser({ password: "of csi" });
    const unset = { ...withPassword.declared, access_api: true, unset: ["password_wo"] };
    const before = { ...withPassword.prior, password_set: true };
    await withPassword.user.plan?.({ prior: before, config: unset, private: {} } as never, call);
    expect(await withPassword.planToken()).toBe("[]");
  });

  test("is not judged by a user whose plan is yet to come", async () => {
    const { user, prior, planToken } = await withUser({ access: { api: false } });
    await user.read?.({ state: prior, private: {} }, call);
    expect(await planToken()).toBe("[]");
  });
});
