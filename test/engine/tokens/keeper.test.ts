import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { partName, openState, type TokenEntry } from "../../../src/state";
import {
  areTokenNotesOutdated,
  forgetRefused,
  notedRefusals,
  noteAccepted,
  noteEnded,
  noteTried,
} from "../../../src/engine/tokens/refusals";
import { failedRevocationsOf, revokeNoted } from "../../../src/engine/tokens/revocations";
import { lockOptionsOf, refusalToCreateTokens, stateOptionsOf } from "../../../src/engine/state";
import { stateOfToken, tokenOfState, withoutSecrets } from "../../../src/engine/tokens/entry";
import { TokenIntents } from "../../../src/engine/tokens/intents";
import { tokenKeeper } from "../../../src/engine/tokens/keeper";
import { TenancyError } from "../../../src/problems";
import type { TokenKeeper } from "../../../src/resources";
import type { Simulator } from "../../../src/lib/simulator";
import { NOT_IN_SNAPSHOT } from "../../../src/lib/values";
import { csiToken, failedRevocation, ORIGIN, OWNER } from "../../state/samples";
import { connected } from "../../support/connections";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();
const path = () => join(folder(), "state.json");
const now = new Date("2026-05-06T07:08:09.000Z");
const earlier = "2026-01-02T03:04:05.678Z";

const { serial } = csiToken.record;
const [{ serial: replaced }] = csiToken.previous as [TokenEntry["previous"][number]];
const noted = (...serials: readonly string[]) => serials.map((one) => ({ serial: one, refused_at: earlier }));

/** A locked state that keeps a token, and what the file holds of it. */
async function locked(entry: TokenEntry = csiToken) {
  const state = openState({ path: path() });
  await state.lock();
  const part = await state.part(partName(ORIGIN, OWNER, "tenancy"));
  part.tokens.put(entry);
  await state.save();
  const onDisk = () => readFile(path(), "utf8");
  const token = () => part.tokens.get(csiToken);
  return { state, part, onDisk, token };
}

/** The keeper of an apply, at a service with the user csi@globex. */
async function keeping(entry: TokenEntry = csiToken) {
  const run = await locked(entry);
  const { simulator, connection } = await connected();
  simulator.records.createAccount({ name: "globex" });
  const user = simulator.records.createProfile("globex", { username: "csi" });
  const demanded: string[] = [];
  const keeper = tokenKeeper({
    state: run.state,
    part: run.part,
    intents: new TokenIntents([], new Map()),
    now: () => now,
    snapshot: await connection.directory.snapshot(),
    sensitive: [["keepers"]],
    demand: ({ login, name }) => {
      if (login === "nobody@globex") throw new TypeError("not to be created");
      demanded.push(`${login}/${name}`);
    },
  });
  return { ...run, keeper: keeper as Required<TokenKeeper>, demanded, user };
}

/** The state that a creation or a rotation leaves. */
const stateWith = (members: object) =>
  stateOfToken(
    { ...csiToken, record: { ...csiToken.record, serial: "ATH9", id: "authorization:1:9" }, ...members },
    {},
  );

describe("what keeps a created token", () => {
  test("notes an intent before the creation, and the token in its place after it, each on disk", async () => {
    const { keeper, part, onDisk, demanded } = await keeping();
    part.possiblyIssued.put({ login: "csi@globex", name: "csi-prod", user_id: "user_profile:1:9" });
    const intent = await keeper.intend("csi@globex", "csi-prod", "password");
    expect(demanded).toEqual(["csi@globex/csi-prod"]);
    expect(await onDisk()).toMatch(/"login_with": ?"password"/);
    await intent.keep(stateWith({}));
    expect(await onDisk()).toMatch(/"serial": ?"ATH9"/);
    expect(await onDisk()).not.toMatch(/login_with|refused/);
    expect(part.tokens.get(csiToken)?.sensitive_keepers).toBe(true);
    expect(part.possiblyIssued.list()).toEqual([]);
  });

  test("notes nothing of a token that must not be created, and takes the intent back where none was created", async () => {
    const { keeper, part, onDisk } = await keeping();
    await expect(keeper.intend("nobody@globex", "prod", "password")).rejects.toThrow("not to be created");
    expect(part.intents.list()).toEqual([]);
    await (await keeper.intend("csi@globex", "csi-prod", "password")).drop();
    expect(part.intents.list()).toEqual([]);
    expect(await onDisk()).not.toContain("login_with");
  });

  test("has a token revoked that another takes the place of, except one that stays for its time", async () => {
    const { keeper, part } = await keeping({ ...csiToken, refused: noted(serial, replaced) });
    const intent = await keeper.intend("csi@globex", "csi-prod", "password");
    const [previous] = csiToken.previous;
    await intent.keep(stateWith({ previous: [previous] }));
    expect(part.failedRevocations.list()).toEqual([
      {
        login: "csi@globex",
        name: "csi-prod",
        id: csiToken.record.id,
        serial,
        access_token: csiToken.record.access_token,
        user_id: "user_profile:1:9",
        failed_at: now.toISOString(),
      },
    ]);
    expect(part.tokens.list()).toMatchObject([
      { record: { serial: "ATH9" }, previous: [{ serial: replaced }], refused: noted(replaced) },
    ]);
  });

  test("leaves all as it was where the token cannot be kept", async () => {
    const { keeper, part, state } = await keeping({ ...csiToken, refused: noted(replaced) });
    part.possiblyIssued.put({ login: "csi@globex", name: "csi-prod", user_id: "user_profile:1:9" });
    const intent = await keeper.intend("csi@globex", "csi-prod", "password");
    const before = part.possiblyIssued.list();
    await rm(path());
    await mkdir(path());
    await expect(intent.keep(stateWith({ previous: [] }))).rejects.toThrow(TenancyError);
    expect(part.tokens.list()).toEqual([{ ...csiToken, refused: noted(replaced) }]);
    expect(part.intents.list()).toHaveLength(1);
    expect(part.possiblyIssued.list()).toEqual(before);
    expect(part.failedRevocations.list()).toEqual([]);
    await state.unlock();
  });

  test("leaves no token where the first of its name cannot be kept", async () => {
    const { keeper, part } = await keeping();
    const intent = await keeper.intend("csi@globex", "other", "password");
    await rm(path());
    await mkdir(path());
    await expect(intent.keep(stateWith({ name: "other", previous: [] }))).rejects.toThrow(TenancyError);
    expect(part.tokens.list()).toEqual([csiToken]);
    expect(part.possiblyIssued.list()).toEqual([]);
  });

  test("knows a user's tokens that are to stay valid, however the login is written, and the user's id", async () => {
    const { keeper, part, user } = await keeping();
    const keptFor = (login: string) => keeper.keptFor(login).map((token) => token.serial);
    part.tokens.put({ ...csiToken, login: "ren\u00e9@globex", previous: [] });
    expect(keptFor("rene\u0301@globex")).toEqual([serial]);
    expect(keptFor("csi@globex")).toEqual([serial, replaced]);
    expect(keptFor("jane@globex")).toEqual([]);
    part.failedRevocations.put({ ...failedRevocation, serial: replaced });
    expect(keptFor("csi@globex")).toEqual([serial]);
    expect(keeper.userIdOf("csi@globex")).toBe(user.id);
    expect(keeper.userIdOf("jane@globex")).toBeUndefined();
  });

  test("notes on disk for whom a password is set, until it is gone", async () => {
    const { keeper, onDisk } = await keeping();
    const { temporaryPasswords } = keeper;
    expect(temporaryPasswords.has("user_profile:1:9")).toBe(false);
    await temporaryPasswords.note("csi@globex", "user_profile:1:9");
    expect(temporaryPasswords.has("user_profile:1:9")).toBe(true);
    expect(await onDisk()).toContain("2026-05-06T07:08:09.000Z");
    temporaryPasswords.forget("user_profile:1:9");
    expect(temporaryPasswords.has("user_profile:1:9")).toBe(false);
  });

  test("notes on disk which tokens the service refuses, each once", async () => {
    const { keeper, onDisk, token } = await keeping({ ...csiToken, refused: noted(serial) });
    await keeper.noteRefused([serial, replaced, "ATH-of-nobody"]);
    expect(token()?.refused).toEqual([...noted(serial), { serial: replaced, refused_at: now.toISOString() }]);
    expect(await onDisk()).toMatch(/"refused_at": ?"2026-05-06T07:08:09\.000Z"/);
  });
});

describe("of tokens that the service refuses", () => {
  const before = stateOfToken(csiToken, {});

  test.each([
    ["all, where nothing is left", undefined, [serial, replaced]],
    ["all but the ones that are still valid", { previous: before["previous"]! }, [serial]],
  ])("the state notes %s", async (_what, left, expected) => {
    const { part, token } = await locked();
    noteEnded(part, { before, left }, now);
    expect(token()?.refused?.map((one) => one.serial)).toEqual(expected);
  });

  /** What a plan has found: `found` by trying them, `known` from the state. */
  const planOf = (part: unknown, found: ReadonlyMap<string, readonly string[]>) =>
    ({ part, refused: found }) as never;

  test("the note is forgotten of one that the plan found good, unless it is newer than the plan", async () => {
    const { part, token } = await locked({ ...csiToken, refused: noted(serial, replaced) });
    const newer = { tokens: { list: () => [csiToken] } };
    noteAccepted({ part, target: planOf(newer, new Map()) });
    expect(token()?.refused).toEqual(noted(serial, replaced));
    noteAccepted({ part, target: planOf(part, new Map([[serial, []]])) });
    expect(token()?.refused).toEqual(noted(serial, replaced));
    noteAccepted({ part, target: planOf(part, new Map()) });
    expect(token()?.refused).toEqual(noted(replaced));
  });

  test("a state without such notes is not written for them", async () => {
    const { state, part, onDisk } = await locked();
    const text = await onDisk();
    noteAccepted({ part, target: planOf(part, new Map()) });
    forgetRefused(part, csiToken, [serial]);
    noteEnded(part, { before: {}, left: undefined }, now);
    await state.save();
    expect(await onDisk()).toBe(text);
  });

  test("notes of some are forgotten, and others stay", async () => {
    const { part, token } = await locked({ ...csiToken, refused: noted(serial, replaced) });
    expect(notedRefusals(part)).toEqual(new Map([[serial, []]]));
    forgetRefused(part, csiToken, [replaced]);
    expect(token()?.refused).toEqual(noted(serial));
    expect(notedRefusals(part)).toEqual(new Map([[serial, [replaced]]]));
    forgetRefused(part, { login: "jane@globex", name: "none" }, [serial]);
    forgetRefused(part, csiToken, [serial]);
    expect(notedRefusals(part)).toEqual(new Map());
  });

  test("a plan that has tried them says whether the notes are outdated, and corrects them", async () => {
    const { part, token } = await locked();
    part.tokens.put({ ...csiToken, name: "good", record: { ...csiToken.record, serial: "ATH8" } });
    const { connection } = await connected({}, { now: () => now });
    const isOutdated = (found: ReadonlyMap<string, readonly string[]>) =>
      areTokenNotesOutdated(planOf(part, found));
    const found = new Map([[serial, [replaced]]]);
    expect(isOutdated(new Map())).toBe(false);
    expect(isOutdated(found)).toBe(true);
    noteTried({ part, connection, target: planOf(part, found) } as never);
    expect(token()?.refused).toEqual([{ serial, refused_at: now.toISOString() }]);
    expect(isOutdated(found)).toBe(false);
    expect(isOutdated(new Map([[serial, []]]))).toBe(true);
    noteTried({ part, connection, target: planOf(part, new Map()) } as never);
    expect(token()?.refused).toEqual([]);
  });
});

describe("tokens that are to be revoked", () => {
  test("are a token and those that it replaced, with the user if that is known", () => {
    const facts = { login: "csi@globex", name: "csi-prod", failed_at: now.toISOString() };
    const [previous] = csiToken.previous;
    const { access_token, id } = csiToken.record;
    expect(failedRevocationsOf(csiToken, now)).toEqual([
      { ...facts, id, serial, access_token, user_id: "user_profile:1:9" },
      {
        ...facts,
        id: previous!.id,
        serial: replaced,
        access_token: "1/previous",
        user_id: "user_profile:1:9",
      },
    ]);
    const record = { ...csiToken.record, user_id: null };
    expect(failedRevocationsOf({ ...csiToken, record, previous: [] }, now)).toEqual([
      { ...facts, id, serial, access_token },
    ]);
  });

  test("stay noted, and say why, until the service refuses them", async () => {
    const { part } = await locked();
    const { simulator, connection } = await connected();
    const tokens = ["one", "two"].map((name) => {
      const { id, serial: own, access_token } = simulator.records.createToken("system");
      return { ...failedRevocation, name, id, serial: own, access_token };
    });
    tokens.forEach((one) => part.failedRevocations.put(one));
    simulator.fail({ method: "DELETE", path: new RegExp(tokens[0]!.serial), status: 403 });
    const { failures } = await revokeNoted(connection, part, tokens);
    expect(failures).toMatchObject([{ code: "TENANCY_API_FORBIDDEN" }]);
    expect(part.failedRevocations.list()).toEqual([tokens[0]]);
    expect((await revokeNoted(connection, part, tokens.slice(0, 1))).failures).toEqual([]);
    expect(part.failedRevocations.list()).toEqual([]);
  });
});

describe("a token that is refused already, while the service revokes none,", () => {
  /** Of a user who had another login when the token was created. */
  async function refused(happens: (simulator: Simulator, own: string) => void) {
    const { part } = await locked();
    const { simulator, connection } = await connected({ suspendedStatus: 401 });
    simulator.records.createAccount({ name: "globex" });
    const user = simulator.records.createProfile("globex", { username: "csi" });
    const { id, serial: own, access_token } = simulator.records.createToken("csi@globex");
    const login = "former@globex";
    const token = { ...failedRevocation, login, id, serial: own, access_token, user_id: user.id };
    part.failedRevocations.put(token);
    happens(simulator, own);
    simulator.fail({ method: "DELETE", status: 403 });
    const { failures } = await revokeNoted(connection, part, [token]);
    return { failures, token, noted: part.failedRevocations.list() };
  }

  test("counts as revoked where its user is live, by whatever login", async () => {
    const { failures, noted: left } = await refused(({ records }, own) => records.revokeToken(own));
    expect(failures).toEqual([]);
    expect(left).toEqual([]);
  });

  test("stays noted where its user is suspended, by whatever login, since it would work again", async () => {
    const suspended = ({ records }: Simulator) => records.patchProfile("csi@globex", { activated: false });
    const { failures, noted: left, token } = await refused(suspended);
    expect(failures).toMatchObject([{ code: "TENANCY_NOT_REVOKED" }]);
    expect(left).toEqual([token]);
  });
});

describe("the state of a run", () => {
  test("is in the project's folder, unless it is said where else", () => {
    expect(stateOptionsOf({})).toEqual({ path: ".tenancy/state.json" });
    expect(stateOptionsOf({ projectFolder: "/project" })).toEqual({
      path: "/project/.tenancy/state.json",
    });
    const state = { helper: "keep", key: "k", encryptPlain: true };
    expect(stateOptionsOf({ state, environment: { TENANCY_STATE_KEY: "another" } })).toEqual({
      helper: { command: "keep" },
      key: "k",
      encryptPlain: true,
    });
    expect(stateOptionsOf({ environment: { TENANCY_STATE: "/state.json" } })).toEqual({
      path: "/state.json",
    });
    expect(stateOptionsOf({ environment: { TENANCY_STATE: "helper:keep it" } })).toEqual({
      helper: { command: "keep it" },
    });
    expect(stateOptionsOf({ environment: { TENANCY_STATE_KEY: "k" } })).toMatchObject({ key: "k" });
    expect(stateOptionsOf({ environment: { TENANCY_STATE_KEY: "" } })).not.toHaveProperty("key");
    expect(stateOptionsOf({ state: { encryptPlain: false } })).not.toHaveProperty("encryptPlain");
  });

  test("tells that another run holds it", () => {
    const told: string[] = [];
    const holder = { pid: 7, host: "runner-1", since: "2026-11-26T00:00:00.000Z" };
    const patient = lockOptionsOf({ lockTimeout: "5m", onProgress: (message) => void told.push(message) });
    patient.onWait(holder);
    lockOptionsOf({}).onWait(holder);
    expect(told).toEqual([
      "waiting up to 5m for another run, which holds the state: process 7 on runner-1 since 2026-11-26T00:00:00.000Z",
    ]);
    expect([patient, lockOptionsOf({})].map(({ timeout }) => timeout)).toEqual([300_000, 20_000]);
    expect(() => lockOptionsOf({ lockTimeout: "soon" })).toThrow('"soon" is no duration');
  });

  test.each([
    ["on a workstation", {}, {}, false],
    ["where CI is empty", { CI: "" }, {}, false],
    ["where CI is false", { CI: "false" }, {}, false],
    ["in CI, with nothing said of the state", { CI: "true" }, {}, true],
    ["in CI, with a path", { CI: "1" }, { path: "/cache/state.json" }, false],
    ["in CI, with a key", { CI: "1", TENANCY_STATE_KEY: "a key that is long enough" }, {}, false],
    ["in CI, with a helper", { CI: "true" }, { helper: "keep" }, false],
  ])("may keep what is created: %s", (_where, environment, state, isRefused) => {
    expect(refusalToCreateTokens({ environment, state }) !== undefined).toBe(isRefused);
  });
});

describe("a token as a state", () => {
  test("comes back from it as it was, but for the id of one that was replaced", () => {
    const { keepers, ...rest } = { ...csiToken, record: { ...csiToken.record, access_token_sealed: null } };
    const state = stateOfToken(csiToken, { login_with: "password" });
    expect(state).toMatchObject({ login: "csi@globex", name: "csi-prod", keepers, login_with: "password" });
    expect(tokenOfState(state, [])).toEqual({
      ...rest,
      keepers,
      sensitive_keepers: false,
      previous: [{ ...csiToken.previous[0], id: replaced }],
    });
    expect(
      tokenOfState({ ...state, previous: [{ ...csiToken.previous[0], id: "authorization:1:6" }] }, []),
    ).toEqual({ ...rest, keepers, sensitive_keepers: false });
  });

  test("remembers whether its keepers were sensitive", () => {
    const state = stateOfToken(csiToken, {});
    expect(tokenOfState(state, [["password_wo"], ["keepers"]]).sensitive_keepers).toBe(true);
    expect(tokenOfState(state, [["password_wo"]]).sensitive_keepers).toBe(false);
    expect(tokenOfState({ ...state, keepers: null }, [["keepers"]]).sensitive_keepers).toBe(false);
  });

  test("keeps its retention, but not the one of a compromised token's rotation", () => {
    const state = stateOfToken(csiToken, { retain_previous_for: "0s", retain_previous: 0 });
    expect(tokenOfState(state, []).retention).toEqual({ for: "0s", count: 0 });
    const rotation = { token: "csi-prod", compromised: true };
    expect(tokenOfState(state, [], rotation)).not.toHaveProperty("retention");
  });

  test("has null for what the service did not tell", () => {
    const { keepers, record, previous } = tokenOfState({ login: "csi@globex", name: "csi-prod" }, []);
    expect(keepers).toBeNull();
    expect(record).toMatchObject({ user_id: null, lifetime: null });
    expect(previous).toEqual([]);
    const { created_at: _unknown, ...old } = csiToken.previous[0]!;
    expect(tokenOfState(stateWith({ previous: [old] }), []).previous).toMatchObject([{ created_at: null }]);
    expect(
      tokenOfState(stateWith({ previous: [{ ...csiToken.previous[0], created_at: earlier }] }), []).previous,
    ).toEqual([{ ...csiToken.previous[0], id: replaced, created_at: earlier }]);
  });

  test("shows no secret where it is from a snapshot, and marks what that does not hold", () => {
    const { access_token: _secret, user_id: _user, ...record } = csiToken.record;
    const entry = { ...csiToken, record: record as never };
    const state = withoutSecrets(entry, stateOfToken(csiToken, {}));
    expect(state).toMatchObject({
      serial,
      access_token: NOT_IN_SNAPSHOT,
      user_id: NOT_IN_SNAPSHOT,
      app_id: null,
      previous: [{ serial: replaced, access_token: NOT_IN_SNAPSHOT }],
    });
  });
});
