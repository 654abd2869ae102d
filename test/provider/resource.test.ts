/** Writes, reads and imports as Terraform calls for them. Also covers src/provider/apply.ts and plan.ts. */
import { createProvider } from "../../src/provider";
import type { ResourceDefinition } from "../../src/lib/plugin-runtime";
import type { ObjectValue } from "../../src/lib/values";
import { call } from "../support/provider";
import { simulators } from "../support/simulators";

const start = simulators();

/** What a call gives back, as far as these tests look at it. */
interface Answer {
  readonly state?: ObjectValue | null;
  readonly private: ObjectValue;
  readonly diagnostics?: readonly { readonly severity: string; readonly detail?: string }[];
  readonly imported?: readonly { readonly state: ObjectValue; readonly private: ObjectValue }[];
}

/** Calls of Core's, in a provider that is connected to a service with the user csi@acme. */
async function terraform() {
  const { simulator } = await start();
  const { records } = simulator;
  const { id: account_id } = records.createAccount({ name: "acme" });
  const { id, serial } = records.createProfile("acme", { username: "csi" });
  const provider = createProvider({
    TENANCY_BASE_URL: simulator.baseUrl,
    TENANCY_USERNAME: simulator.username,
    TENANCY_PASSWORD: simulator.password,
  });
  // Core configures the provider anew for each walk.
  const begin = () => provider.configure?.({}, call);
  await begin();
  const of = (type: string) => {
    const definition = provider.resources?.[type] as ResourceDefinition;
    const asked = (name: "read" | "plan" | "planDelete" | "update" | "delete" | "create") => {
      return async (request: object, more: object = {}) =>
        (await definition[name]?.({ private: {}, ...request } as never, {
          ...call,
          ...more,
        })) as unknown as Answer;
    };
    return {
      definition,
      ...{ read: asked("read"), plan: asked("plan"), planDelete: asked("planDelete") },
      ...{ create: asked("create"), update: asked("update"), delete: asked("delete") },
      import: async (name: string) => (await definition.import?.(name, call)) as unknown as Answer,
    };
  };
  const [user, account, token] = [
    of("tenancy_user_profile"),
    of("tenancy_account"),
    of("tenancy_authorization"),
  ];
  const config = { username: "csi", account_id, permissions: {}, email: "csi@acme.example" };
  const prior = { ...config, id, serial, login: "csi@acme" };
  const writes = () => simulator.requests.filter(({ method }) => ["PATCH", "DELETE"].includes(method));
  return { simulator, records, begin, user, account, token, config, prior, id, serial, account_id, writes };
}

/** A call of which Terraform's end is seen when it is looked for. */
function withLook(look: { readonly isLost: boolean }) {
  return {
    ...{ signal: call.signal, log: call.log },
    get isLost() {
      return look.isLost;
    },
  };
}

const codesOf = ({ diagnostics = [] }: Answer) =>
  diagnostics.map(({ severity, detail = "" }) => `${severity} ${/TENANCY_\w+$/.exec(detail)?.[0]}`);

describe("a record that somebody writes to after the plan", () => {
  /** The user as Terraform read it, with the email that the tests change. */
  async function known() {
    const core = await terraform();
    core.records.patchProfile("csi@acme", { email: "csi@acme.example" });
    const { state, private: notes } = await core.user.read({ state: core.prior });
    const level = { ...core.config, level: 4 };
    const update = { prior: state, config: level, planned: { ...state, level: 4 }, private: notes };
    const deletion = { prior: state, private: notes };
    return { ...core, level, update, deletion };
  }
  const changed = expect.objectContaining({ code: "TENANCY_PLAN_OUTDATED" }) as Error;

  test("is neither updated nor deleted", async () => {
    const { user, records, update, deletion, writes } = await known();
    records.patchProfile("csi@acme", { email: "other@acme.example" });
    await expect(user.update(update)).rejects.toEqual(changed);
    await expect(user.delete(deletion)).rejects.toEqual(changed);
    expect(writes()).toEqual([]);
  });

  test("and that is gone when it is looked at again, has moved on, too", async () => {
    const { user, records, simulator, update, writes, id } = await known();
    records.patchProfile("csi@acme", { email: "other@acme.example" });
    const alter = (seen: unknown) => {
      records.deleteProfile("csi@acme");
      return seen;
    };
    simulator.fail({ method: "GET", path: `/api/user-profile/${id}`, alter });
    await expect(user.update(update)).rejects.toEqual(changed);
    expect(writes()).toEqual([]);
  });

  test.each(["update", "delete"] as const)(
    "and that is as it was, but for its sequence number, meets the %s that was planned",
    async (how) => {
      const { user, records, update, deletion } = await known();
      records.patchProfile("csi@acme", { email: "other@acme.example" });
      records.patchProfile("csi@acme", { email: "csi@acme.example" });
      const done = await user[how](how === "update" ? update : deletion);
      expect(codesOf(done)).toEqual([]);
      if (how === "delete") expect(() => records.profile("csi@acme")).toThrow();
      else expect(records.profile("csi@acme").level).toBe(4);
      if (how === "update") expect(done.private).toMatchObject({ seq: records.profile("csi@acme").seq });
    },
  );

  test.each([
    ["every GET raises its sequence number", (count: number) => count],
    ["it has no sequence number", () => undefined],
  ])(
    "and that is as it was is updated and deleted, although %s; a changed one is not updated",
    async (_why, seqOf) => {
      const { user, prior, simulator, records, level, writes } = await known();
      let count = 1000;
      const alter = (body: unknown): unknown =>
        Array.isArray(body) ? body.map(alter) : { ...(body as object), seq: seqOf(++count) };
      simulator.fail({ method: "GET", path: /user-profile/, times: 99, alter });
      const read = () => user.read({ state: prior });
      const { state, private: notes } = await read();
      const update = { prior: state, config: level, planned: { ...state, level: 4 }, private: notes };
      records.patchProfile("csi@acme", { email: "other@acme.example" });
      await expect(user.update(update)).rejects.toEqual(changed);
      expect(writes()).toEqual([]);
      records.patchProfile("csi@acme", { email: "csi@acme.example" });
      expect(codesOf(await user.update(update))).toEqual([]);
      expect(records.profile("csi@acme").level).toBe(4);
      const now = await read();
      expect(codesOf(await user.delete({ prior: now.state, private: now.private }))).toEqual([]);
      expect(() => records.profile("csi@acme")).toThrow();
    },
  );

  test("is deleted all the same where its number is not known", async () => {
    const { user, records, deletion } = await known();
    records.patchProfile("csi@acme", { email: "other@acme.example" });
    expect(codesOf(await user.delete({ ...deletion, private: {} }))).toEqual([]);
    expect(() => records.profile("csi@acme")).toThrow();
  });

  test("is not written to a second time where the service refuses the write for another reason", async () => {
    const { user, simulator, update, writes } = await known();
    simulator.fail({ method: "PATCH", status: 403, times: 9 });
    await expect(user.update(update)).rejects.not.toEqual(changed);
    expect(writes()).toHaveLength(1);
  });

  test("keeps an account from an update that its primary user was planned for", async () => {
    const { account, records, account_id } = await known();
    const { id, serial, admin_profile_id } = records.account("acme");
    const declared = { name: "acme", permissions: {} };
    const { state, private: notes } = await account.read({
      state: { ...declared, id, serial, admin_profile_id },
    });
    expect(notes).toMatchObject({ seq: expect.anything() as number, part_seq: expect.anything() as number });
    records.patchProfile("acme", { level: 1 });
    const config = { ...declared, level: 4 };
    const request = { prior: state, config, planned: { ...state, level: 4 }, private: notes };
    await expect(account.update(request)).rejects.toEqual(changed);
    expect(account_id).toBe(id);
  });
});

describe("the number by which a delete knows its record", () => {
  test("is that of the lists, where the plan has not read the record itself", async () => {
    const { user, prior, records } = await terraform();
    const { private: notes } = await user.planDelete({ prior, private: { seq: 4711 } });
    expect(notes).toMatchObject({ seq: records.profile("csi@acme").seq });
  });

  test("is the noted one, where the plan has read the record, where the lists lack it, or where something was written", async () => {
    const { user, prior, begin, records, simulator } = await terraform();
    await user.read({ state: prior });
    expect((await user.planDelete({ prior, private: { seq: 4711 } })).private).toMatchObject({ seq: 4711 });
    await begin();
    const gone = { ...prior, id: "user_profile:9:9", serial: "USR9" };
    expect((await user.planDelete({ prior: gone, private: { seq: 4711 } })).private).toMatchObject({
      seq: 4711,
    });
    // The lists tell enough: nothing is asked about a record of which they know nothing.
    expect(simulator.requests.filter(({ path }) => path.includes("USR9") || path.includes(":9:9"))).toEqual(
      [],
    );
    const other = records.createProfile("acme", { username: "other" });
    await user.delete({ prior: { ...prior, id: other.id, serial: other.serial, login: "other@acme" } });
    expect((await user.planDelete({ prior, private: { seq: 4711 } })).private).toMatchObject({ seq: 4711 });
  });
});

test("nothing is judged while Terraform applies, since the plan was judged", async () => {
  const { account, user, prior, account_id, records } = await terraform();
  const { serial, admin_profile_id } = records.account("acme");
  const state = { name: "acme", id: account_id, serial, admin_profile_id, deletion_protection: true };
  expect(codesOf(await account.planDelete({ prior: state }))).toContain("error TENANCY_ACCOUNT_DELETION");
  await user.delete({ prior });
  expect(codesOf(await account.planDelete({ prior: state }))).toEqual([]);
});

describe("a token whose call Terraform no longer waits for", () => {
  const config = { login: "csi@acme", name: "prod", login_with: "temporary_password" };

  test("is not created", async () => {
    const { token, records } = await terraform();
    const { planned } = (await token.plan({ prior: null, config })) as never as { planned: ObjectValue };
    const made = token.create({ planned, config }, { isLost: true });
    await expect(made).rejects.toThrow("Terraform is gone");
    expect(records.authorizations).toEqual([]);
  });

  test("is revoked where it was created already, and kept where Terraform waits", async () => {
    const { token, records, simulator } = await terraform();
    const { planned } = (await token.plan({ prior: null, config })) as never as { planned: ObjectValue };
    const waits = {
      ...call,
      get isLost() {
        return simulator.records.authorizations.length > 0;
      },
    };
    const made = async () => token.definition.create({ planned, config, private: {} }, waits);
    await made().catch(() => undefined);
    expect(records.authorizations).toEqual([]);
    await token.create({ planned, config });
    expect(records.authorizations).toHaveLength(1);
  });

  test.each([
    ["is taken back once it was kept", true],
    ["stays where Terraform waits to the end", false],
  ])("%s, be it the first or a rotated one", async (_what, isLost) => {
    const { token, records } = await terraform();
    const serials = () => records.authorizations.map(({ serial }) => serial);
    // Nothing but the end of the call sees that Terraform is gone: the two looks before it are those of the creation.
    const waits = () => {
      let looks = 0;
      return {
        get isLost() {
          return isLost && ++looks > 2;
        },
      };
    };
    const { planned } = (await token.plan({ prior: null, config })) as never as { planned: ObjectValue };
    const first = (await token.definition.create(
      { planned, config, private: {} },
      withLook(waits()),
    )) as Answer;
    expect(serials()).toEqual(isLost ? [] : [first.state?.["serial"]]);

    const { state: prior } = await token.create({ planned, config });
    const rotated = { ...config, keepers: { year: "2027" }, retain_previous: 1 };
    const asked = { prior, config: rotated, private: {} };
    const { planned: next } = (await token.plan(asked)) as never as { planned: ObjectValue };
    const update = { ...asked, planned: next };
    const second = (await token.definition.update?.(update as never, withLook(waits()))) as Answer;
    expect(serials()).toContain(prior?.["serial"]);
    expect(serials().includes(second.state?.["serial"] as string)).toBe(!isLost);
  });
});

describe("an import", () => {
  test("notes that it is one, and with which numbers", async () => {
    const { user, records } = await terraform();
    const { imported } = await user.import("csi@acme");
    const { seq } = records.profile("csi@acme");
    expect(imported).toMatchObject([
      { state: { login: "csi@acme" }, private: { imported: true, rights: [], seq } },
    ]);
  });

  test("of an object that the same plan would replace is refused", async () => {
    const { user, config, begin } = await terraform();
    const { imported } = await user.import("csi@acme");
    const [{ state, private: notes }] = imported as never as [{ state: ObjectValue; private: ObjectValue }];
    const other = { ...config, username: "other" };
    const asked = { prior: state, config: other, private: notes };
    expect(codesOf(await user.plan({ ...asked, config }))).not.toContain("error TENANCY_IMPORT_REPLACED");
    expect(codesOf(await user.plan(asked))).toContain("error TENANCY_IMPORT_REPLACED");
    await begin();
    expect(codesOf(await user.plan(asked))).not.toContain("error TENANCY_IMPORT_REPLACED");
  });

  test("names a record by its serial number or its id, and a token by nothing", async () => {
    const { user, token } = await terraform();
    const idFor = (given: ObjectValue) => user.definition.identity?.idFor(given);
    expect(idFor({ id: "user_profile:1:1", serial: "USR1" })).toBe("USR1");
    expect(idFor({ id: "user_profile:1:1", serial: "" })).toBe("user_profile:1:1");
    expect(idFor({ id: "user_profile:1:1" })).toBe("user_profile:1:1");
    expect(() => idFor({ id: null, serial: null })).toThrow("an identity needs id or serial");
    expect(token.definition.identity).toBeUndefined();
    await expect(token.import("csi@acme/prod")).rejects.toMatchObject({ code: "TENANCY_NOT_IMPORTABLE" });
  });
});

test("a rotation that would end an earlier token before its time is refused", async () => {
  const { token } = await terraform();
  const config = {
    login: "csi@acme",
    name: "prod",
    login_with: "temporary_password",
    retain_previous_for: "720h",
    retain_previous: 1,
  };
  const previous = [
    { serial: "ATH0", access_token: "0", created_at: null, retired_at: new Date().toISOString() },
  ];
  const prior = { ...config, id: "t1", serial: "ATH1", access_token: "1", keepers: null, previous };
  const rotated = { ...config, keepers: { year: "2027" } };
  expect(codesOf(await token.plan({ prior, config: rotated }))).toContain("error TENANCY_RETIRES_EARLY");
  const fewer = { ...prior, previous: [] };
  expect(codesOf(await token.plan({ prior: fewer, config: rotated })).join()).not.toContain("RETIRES_EARLY");
});

describe("a provider that is not known yet", () => {
  test("reads, plans and judges nothing, and warns that the state is unchecked", async () => {
    const { prior, config } = await terraform();
    const user = createProvider({}).resources?.["tenancy_user_profile"];
    const unchecked = ["warning TENANCY_NOT_YET_KNOWN"];
    expect(codesOf((await user?.read({ state: prior, private: {} }, call)) as Answer)).toEqual(unchecked);
    expect(codesOf((await user?.planDelete?.({ prior, private: {} }, call)) as Answer)).toEqual(unchecked);
    const planned = await user?.plan?.({ prior, config, private: {} } as never, call);
    expect(codesOf(planned as Answer).filter((one) => one.startsWith("error"))).toEqual([]);
  });
});

describe("an id that a restored service has given to another record", () => {
  /** The user jane as Terraform knows her. Since then the service has lost her, and bob has her id. */
  async function restored() {
    const core = await terraform();
    const { records } = core;
    const restore = records.backup();
    const { id } = records.createProfile("acme", { username: "jane", email: "jane@acme.example" });
    const { state, private: notes } = (await core.user.import(id)).imported?.[0] ?? {};
    restore();
    const bob = records.createProfile("acme", { username: "bob" });
    expect(bob.id).toBe(id);
    await core.begin();
    return { ...core, state, notes, bob };
  }

  test("is not the object: it counts as deleted outside, with a warning", async () => {
    const { user, state, notes, bob } = await restored();
    const answer = await user.read({ state, private: notes });
    expect(answer.state).toBeNull();
    expect(codesOf(answer)).toEqual(["warning TENANCY_ID_GIVEN_AGAIN"]);
    expect(answer.diagnostics?.[0]?.detail).toContain(`its serial number is ${bob.serial}`);
  });

  test("is neither updated nor deleted where nothing was refreshed", async () => {
    const { user, state, notes, writes } = await restored();
    expect(codesOf(await user.planDelete({ prior: state, private: notes }))).toEqual([
      "warning TENANCY_ID_GIVEN_AGAIN",
    ]);
    const planned = { ...state, level: 4 };
    const config = { username: "jane", level: 4, permissions: {} };
    await expect(user.update({ prior: state, config, planned, private: notes })).rejects.toMatchObject({
      code: "TENANCY_PLAN_OUTDATED",
    });
    expect(codesOf(await user.delete({ prior: state, private: notes }))).toEqual([
      "warning TENANCY_ID_GIVEN_AGAIN",
    ]);
    expect(writes()).toEqual([]);
  });

  test("is told by uuid and time of creation where the service gives serials again, too", async () => {
    const { user, state, notes, bob } = await restored();
    const { serial } = bob;
    const answer = await user.read({ state: { ...state, serial, ctime: bob.ctime - 1 }, private: notes });
    expect(answer.state).toBeNull();
    const other = await user.read({ state: { ...state, serial, ctime: bob.ctime }, private: notes });
    expect(other.state).toMatchObject({ login: "bob@acme" });
  });
});

describe("a refresh", () => {
  test("forgets what is gone", async () => {
    const { user, prior, records } = await terraform();
    records.deleteProfile("csi@acme");
    expect(await user.read({ state: prior })).toEqual({ state: null });
  });

  test("notes its time where a token keeps others, and its day elsewhere, and what the service grants", async () => {
    const { user, token, prior, records } = await terraform();
    records.patchProfile("csi@acme", { permissions: { user: { rights: { manage_users: true } } } });
    const { private: notes } = await user.read({ state: prior });
    expect(notes["noted_at"]).toMatch(/^\d{4}-\d{2}-\d{2}T00:00:00\.000Z$/);
    expect(notes["granted"]).toContain("user.manage_users");
    const { id, serial, access_token } = records.createToken("csi@acme");
    const other = records.createToken("csi@acme");
    const previous = [
      {
        serial: other.serial,
        access_token: other.access_token,
        created_at: null,
        retired_at: new Date().toISOString(),
      },
    ];
    const state = { id, serial, access_token, login: "csi@acme", name: "prod", retain_previous: 1 };
    const day = /^\d{4}-\d{2}-\d{2}T00:00:00\.000Z$/;
    expect((await token.read({ state: { ...state, previous } })).private["noted_at"]).not.toMatch(day);
    expect((await token.read({ state: { ...state, previous: [] } })).private["noted_at"]).toMatch(day);
  });
});

describe("a plan", () => {
  const told = ({ diagnostics = [] }: Answer) => diagnostics.map(({ detail = "" }) => detail).join("\n");

  test("tells what is no longer declared, for an object that is there", async () => {
    const { user, prior, account_id } = await terraform();
    const config = { username: "csi", account_id, permissions: {} };
    const found = await user.plan({ prior, config, private: { declared: ["email"] } });
    expect(told(found)).toContain("TENANCY_NO_LONGER_DECLARED");
  });

  test("keeps of an object that may be replaced what a delete is judged by, and no more", async () => {
    const { user, prior, config } = await terraform();
    const { private: notes } = await user.plan({ prior: { ...prior, app_default: null }, config });
    const { id, serial, account_id, username, login, email } = prior;
    expect(notes["replaced_object"]).toEqual({ id, serial, account_id, username, login, email });
  });

  test("does not say of a token that is replaced that it is rotated", async () => {
    const { token } = await terraform();
    const held = { login: "csi@acme", name: "prod", login_with: "temporary_password" };
    const kept = { ...held, id: "t1", serial: "ATH1", access_token: "1", previous: [] };
    const moved = { ...held, login: "other@acme" };
    expect(told(await token.plan({ prior: kept, config: moved }))).not.toContain("TENANCY_TOKEN_ROTATES");
    const rotated = { ...held, keepers: { year: "2027" } };
    expect(told(await token.plan({ prior: kept, config: rotated }))).toContain("TENANCY_TOKEN_ROTATES");
  });
});

describe("the first version of a password", () => {
  const first = { password_wo: "s3cret-s3cret", password_wo_version: 1 };

  test.each([
    ["is only noted for an imported user", { imported: true }, false],
    ["is sent for any other", {}, true],
  ])("%s", async (_what, notes, isSent) => {
    const { user, prior, config, writes, records } = await terraform();
    const declared = { ...config, ...first, level: 4 };
    const { password_wo: _, ...rest } = declared;
    const { seq } = records.profile("csi@acme");
    const request = { prior: { ...prior, level: 3 }, config: declared, private: { ...notes, seq } };
    const told = codesOf(await user.plan(request)).filter((one) => one.includes("SECRET_NOT_SENT"));
    expect(told).toHaveLength(isSent ? 0 : 1);
    await user.update({ ...request, planned: { ...prior, ...rest } });
    expect(writes().map(({ body }) => Object.keys(body as object).includes("password"))).toEqual([isSent]);
  });

  test("is no longer the first where another one is noted", async () => {
    const { user, prior, config } = await terraform();
    const request = { config: { ...config, ...first, password_wo_version: 2 }, private: { imported: true } };
    const told = codesOf(await user.plan({ ...request, prior: { ...prior, password_wo_version: 1 } }));
    expect(told).not.toContain("warning TENANCY_SECRET_NOT_SENT");
  });

  test("of the user whom the run logs in as is noted by an apply, too", async () => {
    const { simulator, records, prior, config } = await terraform();
    records.patchProfile("csi@acme", { password: first.password_wo });
    const { TENANCY_BASE_URL, ...credentials } = {
      ...{ TENANCY_BASE_URL: simulator.baseUrl },
      ...{ TENANCY_USERNAME: "csi@acme", TENANCY_PASSWORD: first.password_wo },
    };
    const provider = createProvider({ TENANCY_BASE_URL, ...credentials });
    await provider.configure?.({}, call);
    const planned = { ...prior, password_wo_version: 1 };
    const request = { prior, config: { ...config, ...first }, planned };
    const update = async (notes: object) =>
      codesOf(
        (await provider.resources?.["tenancy_user_profile"]?.update?.(
          { ...request, private: notes } as never,
          call,
        )) as Answer,
      );
    expect(await update({})).toEqual(["error TENANCY_SELF_CHANGE"]);
    expect(await update({ imported: true })).toEqual([]);
  });
});

test("a configuration is checked by the limits of its description, without any service", () => {
  const user = createProvider({}).resources?.["tenancy_user_profile"];
  expect(user?.schema).toMatchObject({ version: expect.any(Number) as number });
  const found = user?.validate?.({ username: "a@b", account_id: "account:1:1" }, call) as unknown as Answer;
  expect(codesOf(found)).toEqual(["error TENANCY_INVALID_VALUE"]);
});
