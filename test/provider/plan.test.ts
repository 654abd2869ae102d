/** What a plan of Terraform's tells and refuses. Also covers src/provider/guards.ts. */
import type { Simulator } from "../../src/lib/simulator";
import { asSystem, call, configured as connected, firstSentence } from "../support/provider";
import { simulators } from "../support/simulators";

const start = simulators();

/** The provider, connected to a service. */
async function configured(
  simulator: Simulator,
  credentials: Readonly<Record<string, string>> = asSystem(simulator),
  config: { readonly owner?: string } = {},
) {
  return (await connected(simulator, credentials, config)).provider;
}

test.each([
  ["as it is", "", ""],
  ["with white space around it", "\t", "\n"],
])("a token that the provider itself works with, given %s, is not revoked", async (_how, before, after) => {
  const { simulator } = await start();
  const token = simulator.records.createToken("system");
  const provider = await configured(simulator, { TENANCY_TOKEN: before + token.access_token + after });
  const { id, serial, access_token } = token;
  const prior = { id, serial, access_token, login: "system", name: "own" };
  const found = await provider.resources?.["tenancy_authorization"]?.planDelete?.(
    { prior, private: {} },
    call,
  );
  expect(found).toMatchObject({
    diagnostics: [{ severity: "error", detail: expect.stringContaining("TENANCY_SELF_CHANGE") as string }],
  });
});

test.each([
  ["itself", ""],
  ["among those that were replaced", "another"],
])("a token that the provider works with, %s, is not replaced on request", async (_where, other) => {
  const { simulator } = await start();
  const { id, serial, access_token } = simulator.records.createToken("system");
  const provider = await configured(simulator, { TENANCY_TOKEN: access_token });
  const tokens = provider.resources?.["tenancy_authorization"];
  const config = { login: "system", name: "own", login_with: "temporary_password", retain_previous: 1 };
  const replaced = { serial, access_token, retired_at: new Date().toISOString() };
  const prior =
    other === ""
      ? { ...config, id, serial, access_token, previous: [] }
      : { ...config, id, serial: "ATH9", access_token: other, previous: [replaced] };
  // Core asks what becomes of the object, and then for a new one.
  const asked = await tokens?.plan?.({ prior, config, private: {} } as never, call);
  expect(JSON.stringify(asked?.private)).not.toContain(access_token);
  const anew = { prior: null, config, private: asked?.private };
  const found = await tokens?.plan?.(anew as never, call);
  expect(JSON.stringify(found?.diagnostics)).toContain("TENANCY_SELF_CHANGE");
  expect(JSON.stringify(found?.private)).not.toContain("own_token");
});

describe("a user's new password", () => {
  const declared = { username: "ci", account_id: "", permissions: {} };
  const first = { password_wo: "s3cret-s3cret", password_wo_version: 1 };
  const second = { ...first, password_wo_version: 2 };

  /** The warnings of the plan and of the apply of one user. */
  async function warnings(prior: object, config: object, notes: object = {}, password: string | null = null) {
    const { simulator } = await start();
    const { id: account_id } = simulator.records.createAccount({ name: "acme" });
    const { id, serial } = simulator.records.createProfile("acme", { username: "ci", password });
    const user = (await configured(simulator)).resources?.["tenancy_user_profile"];
    const state = { ...declared, account_id, id, serial, ...prior };
    const read = await user?.read({ state, private: notes } as never, call);
    const request = {
      prior: read?.state,
      config: { ...declared, account_id, ...config },
      private: read?.private,
    };
    const planned = await user?.plan?.(request as never, call);
    const applied = await user?.update?.({ ...request, planned: planned?.planned } as never, call);
    return {
      plan: (planned?.diagnostics ?? []).map(firstSentence),
      apply: (applied?.diagnostics ?? []).map(firstSentence),
    };
  }

  const mayEnd = `The password of "ci@acme" has changed, which may have ended the user's tokens`;

  test("is a warning of the apply, and not of the plan", async () => {
    expect(await warnings({ password_wo_version: 1 }, second)).toEqual({ plan: [], apply: [mayEnd] });
  });

  test("is one where it is taken away, and none where there was none", async () => {
    const unset = { unset: ["password_wo"] };
    expect((await warnings({}, unset, {}, "s3cret-before")).apply).toEqual([mayEnd]);
    expect((await warnings({}, unset)).apply).toEqual([]);
  });

  test("is none where no password is sent", async () => {
    expect((await warnings({ password_wo_version: 1 }, { email: "ci@acme.example" })).apply).toEqual([]);
  });

  test("of an imported user is only noted under its first version", async () => {
    const noted = await warnings({}, first, { imported: true });
    expect(noted.plan).toEqual([
      'The version of password_wo of "ci@acme" is recorded, and the value is not sent',
    ]);
    expect(noted.apply).toEqual([]);
    expect(await warnings({}, first)).toEqual({ plan: [], apply: [mayEnd] });
  });
});

describe("a tainted object, which Core has read, and then planned as new", () => {
  const ACME = { name: "acme", permissions: {} };

  /** An account in the state, and what Core calls for it. */
  async function tainted({ owner, ...flags }: { owner?: string; deletion_protection: boolean }) {
    const { simulator } = await start();
    const provider = await configured(simulator, undefined, { ...(owner !== undefined && { owner }) });
    const account = provider.resources?.["tenancy_account"];
    if (account?.plan === undefined) throw new Error("no accounts");
    const config = { ...ACME, ...flags };
    const { planned } = await account.plan({ prior: null, config, private: {} } as never, call);
    const made = await account.create({ planned, config, private: {} } as never, call);
    // Core configures the provider anew for each walk.
    const begin = () => provider.configure?.({ ...(owner !== undefined && { owner }) }, call);
    await begin();
    const read = () => account.read({ state: made.state, private: {} } as never, call);
    const told = async (asked: object) => {
      const { diagnostics = [] } = (await account.plan?.({ private: {}, ...asked } as never, call)) ?? {};
      return diagnostics.map(({ severity, detail = "" }) => `${severity} ${detail.split("\n").at(-1)}`);
    };
    return { config, state: made.state, read, told, begin };
  }

  test.each([undefined, "acme-platform"])("is guarded as in any replacement (owner: %s)", async (owner) => {
    const acme = await tainted({ ...(owner !== undefined && { owner }), deletion_protection: true });
    await acme.read();
    expect(await acme.told({ prior: null, config: acme.config })).toEqual(["error TENANCY_ACCOUNT_DELETION"]);
  });

  test.each([undefined, "acme-platform"])(
    "is replaced where nothing forbids it, without a word of its being live (owner: %s)",
    async (owner) => {
      const acme = await tainted({ ...(owner !== undefined && { owner }), deletion_protection: false });
      await acme.read();
      expect(await acme.told({ prior: null, config: acme.config })).toEqual([]);
    },
  );

  test("is guarded by what its state allows, and not by what the declaration allows since", async () => {
    const acme = await tainted({ deletion_protection: true });
    await acme.read();
    const config = { ...acme.config, deletion_protection: false };
    expect(await acme.told({ prior: null, config })).toEqual(["error TENANCY_ACCOUNT_DELETION"]);
  });

  test("is guarded where its declared uuid changes at the same time", async () => {
    const acme = await tainted({ deletion_protection: true });
    await acme.read();
    const config = { ...acme.config, uuid: "11111111-1111-5111-8111-111111111111" };
    expect(await acme.told({ prior: null, config })).toEqual(["error TENANCY_ACCOUNT_DELETION"]);
  });

  test("is not taken for tainted once it is planned with its state, nor in the next run", async () => {
    const acme = await tainted({ deletion_protection: true });
    await acme.read();
    expect(await acme.told({ prior: acme.state, config: acme.config })).toEqual([]);
    const live = ["warning TENANCY_UNMANAGED"];
    expect(await acme.told({ prior: null, config: acme.config })).toEqual(live);
    await acme.begin();
    await acme.read();
    await acme.begin();
    expect(await acme.told({ prior: null, config: acme.config })).toEqual(live);
  });
});

describe("a delete that is planned by a state", () => {
  async function imported() {
    const { simulator } = await start();
    simulator.records.createAccount({ name: "acme" });
    simulator.records.createProfile("acme", { username: "jane" });
    // Core starts a provider for each walk.
    const users = async () => (await configured(simulator)).resources?.["tenancy_user_profile"];
    const made = await (await users())?.import?.("jane@acme", call);
    const [{ state, private: notes } = { state: {}, private: {} }] = made?.imported ?? [];
    const planned = async ({ refresh }: { refresh: boolean }) => {
      const resource = await users();
      const read = refresh ? await resource?.read({ state, private: notes } as never, call) : undefined;
      const request = { prior: read?.state ?? state, private: read?.private ?? notes };
      return resource?.planDelete?.(request as never, call);
    };
    return { records: simulator.records, planned };
  }

  test("that this run has not read names what has changed since, and is for the record as it is now", async () => {
    const { records, planned } = await imported();
    expect((await planned({ refresh: false }))?.diagnostics).toEqual([]);
    const { seq } = records.patchProfile("jane@acme", { email: "jane@example.org", xref: "hr:7" });
    const { private: notes, diagnostics } = (await planned({ refresh: false })) ?? {};
    expect(notes).toMatchObject({ seq });
    expect(diagnostics).toMatchObject([
      {
        severity: "warning",
        summary: "An object has changed since Terraform read it and will be deleted",
        detail: expect.stringMatching(
          /^User profile "jane@acme" has changed, and would be deleted as it is now: email, xref\.[^]*TENANCY_DELETED_AS_IT_IS$/,
        ) as string,
      },
    ]);
  });

  test("that this run has read is told as the plan shows it", async () => {
    const { records, planned } = await imported();
    const { seq } = records.patchProfile("jane@acme", { xref: "hr:7" });
    expect(await planned({ refresh: true })).toMatchObject({ private: { seq }, diagnostics: [] });
  });
});

test("a tainted user whom the run logs in as is not replaced", async () => {
  const { simulator } = await start();
  const { id: account_id } = simulator.records.createAccount({ name: "acme" });
  const password = "s3cret-s3cret";
  const { id, serial } = simulator.records.createProfile("acme", { username: "ci", password });
  const provider = await configured(simulator, { TENANCY_USERNAME: "ci@acme", TENANCY_PASSWORD: password });
  const config = { username: "ci", account_id, permissions: {} };
  const user = provider.resources?.["tenancy_user_profile"];
  await user?.read({ state: { ...config, id, serial, login: "ci@acme" }, private: {} }, call);
  const planned = await user?.plan?.({ prior: null, config, private: {} } as never, call);
  expect(planned?.diagnostics).toMatchObject([
    { severity: "error", detail: expect.stringMatching(/`untaint`[^]*TENANCY_SELF_CHANGE/) as string },
  ]);
});

test("a replacement passes the sequence number that was planned for to the delete, and not to the new object", async () => {
  const { simulator } = await start();
  const provider = await configured(simulator);
  const account = provider.resources?.["tenancy_account"];
  const plan = async (prior: object | null, config: object, notes: object = {}) =>
    (await account?.plan?.({ prior, config, private: notes } as never, call)) ?? {};
  const create = async (planned: object | undefined, config: object, notes: object) =>
    account?.create({ planned, config, private: notes } as never, call);

  const acme = { name: "acme", permissions: {}, deletion_protection: false };
  const first = await plan(null, acme, { seq: 4711 });
  expect(first.private).toEqual({});
  const made = await create(first.planned, acme, {});

  const globex = { ...acme, name: "globex" };
  const { private: passed } = await plan(made?.state ?? null, globex, { seq: 4711 });
  const second = await plan(null, globex, passed);
  expect(second.private).toEqual({ seq: 4711 });
  const anew = await create(second.planned, globex, second.private!);
  expect(anew?.private).toMatchObject({ seq: simulator.records.account("globex").seq });
});

describe("the user whom the run logs in as", () => {
  async function own() {
    const { simulator } = await start();
    const { id: account_id } = simulator.records.createAccount({ name: "acme" });
    const password = "s3cret-s3cret";
    const { id, serial } = simulator.records.createProfile("acme", { username: "ci", password });
    const provider = await configured(simulator, { TENANCY_USERNAME: "ci@acme", TENANCY_PASSWORD: password });
    const declared = { username: "ci", account_id, permissions: {} };
    const user = provider.resources?.["tenancy_user_profile"];
    if (user === undefined) throw new Error("no users");
    return { user, declared, id, serial, password, simulator };
  }

  test("may be imported with a first password version, which is only noted", async () => {
    const { user, declared, id, serial, password } = await own();
    const request = {
      prior: { ...declared, id, serial, login: "ci@acme" },
      config: { ...declared, password_wo: password, password_wo_version: 1 },
    };
    const told = async (notes: object) => {
      const planned = await user?.plan?.({ ...request, private: notes } as never, call);
      return (planned?.diagnostics ?? []).map(({ detail = "" }) => /TENANCY_\w+$/.exec(detail)?.[0]);
    };
    expect(await told({ imported: true })).toContain("TENANCY_SECRET_NOT_SENT");
    expect(await told({ imported: true })).not.toContain("TENANCY_SELF_CHANGE");
    expect(await told({})).toContain("TENANCY_SELF_CHANGE");
  });

  test.each(["delete", "update"] as const)(
    "stays as it is where an apply is to %s it, and no plan has judged that",
    async (how) => {
      const { user, declared, id, serial, simulator } = await own();
      const prior = { ...declared, id, serial, login: "ci@acme", access_api: true };
      const config = { ...declared, access_api: false };
      const request = { prior, config, planned: { ...prior, access_api: false }, private: {} };
      const done = await user[how]?.(request, call);
      expect(done?.diagnostics).toMatchObject([
        { severity: "error", detail: expect.stringContaining("TENANCY_SELF_CHANGE") as string },
      ]);
      expect(simulator.requests.filter(({ method }) => ["PATCH", "DELETE"].includes(method))).toEqual([]);
    },
  );

  test("is looked up once, however many other users an apply deletes, and not at all for an update that harms nobody", async () => {
    const { user, declared, simulator } = await own();
    simulator.records.patchProfile("ci@acme", { permissions: { user: { rights: { manage_users: true } } } });
    const others = ["a", "b", "c"].map((username) => {
      const { id, serial } = simulator.records.createProfile("acme", { username });
      return { ...declared, username, id, serial, login: `${username}@acme` };
    });
    const lists = () => simulator.requests.filter(({ path }) => path === "/api/user-profile").length;
    const [prior] = others;
    const config = { username: "a", account_id: declared.account_id, email: "a@acme.example" };
    const { seq } = simulator.records.profile("a@acme");
    const changed = { prior, config, planned: { ...prior, email: config.email }, private: { seq } };
    expect(await user.update?.(changed as never, call)).toMatchObject({ diagnostics: [] });
    expect(lists()).toBe(0);
    for (const other of others)
      expect(await user.delete({ prior: other, private: {} }, call)).toEqual({ diagnostics: [] });
    expect(lists()).toBe(1);
  });
});

describe("a secret that the provider knows does not flow into a plain attribute", () => {
  const OWN = "correct-horse-battery-staple";
  const withToken = async () => {
    const { simulator } = await start({ systemUser: { username: "system", password: OWN } });
    const { id, serial, access_token } = simulator.records.createToken("system");
    const { token, user } = await connected(simulator, asSystem(simulator));
    const config = { login: "system", name: "ci", login_with: "temporary_password", previous: [] };
    await token.read?.({ state: { ...config, id, serial, access_token }, private: {} }, call);
    const told = async (more: object) => {
      const declared = { username: "eve", account_id: "account:1:1", permissions: {}, ...more };
      const planned = await user.plan?.({ prior: null, config: declared, private: {} } as never, call);
      return (planned?.diagnostics ?? []).flatMap(({ detail = "", attribute }) =>
        detail.includes("TENANCY_SENSITIVE_VALUE") ? [attribute] : [],
      );
    };
    return { access_token, told };
  };

  test("a token of the state", async () => {
    const { access_token, told } = await withToken();
    expect(await told({ xref: access_token })).toEqual([["xref"]]);
    expect(await told({ xref: `id ${Buffer.from(access_token).toString("base64")}` })).toEqual([["xref"]]);
    expect(await told({ node_scope: ["a", access_token] })).toHaveLength(1);
  });

  test("its own password, and a write-only value", async () => {
    const { told } = await withToken();
    expect(await told({ xref: `my ${OWN}` })).toEqual([["xref"]]);
    const password_wo = "another-horse-battery";
    expect(await told({ password_wo, xref: password_wo })).toEqual([["xref"]]);
  });

  test("where nothing known is in it, nothing is refused", async () => {
    const { access_token, told } = await withToken();
    expect(await told({ xref: access_token.slice(1), email: "horse@acme.example" })).toEqual([]);
    expect(await told({ password_wo: "short", xref: "short" })).toEqual([]);
    expect(await told({ password_wo: access_token })).toEqual([]);
  });
});
