/** Holds the sentences about plans against runs that break them, which the product does not give them. */
import { SERVICE } from "../runs/eventful-apply";
import { edited, NOTHING } from "../model/declaration";
import type { Exchange } from "../world/exchange";
import type { Listed, PlannedAction, Witness } from "./invariant";
import { unfinishedPlans, unlistedLosses } from "./shown";

type Type = Listed["type"];

const ACME = { id: "account:1:1", serial: "ACC1", name: "acme" };
const PRIMARY = { id: "user_profile:1:1", login: "acme", account_id: ACME.id, account_admin: true };
const EVE = { id: "user_profile:1:2", login: "eve@acme", account_id: ACME.id, account_admin: false };
const TOKEN = { id: "authorization:1:1", serial: "ATH1", user_id: EVE.id };

const account = { kind: "account", before: ACME, after: undefined };
const primary = { kind: "profile", before: PRIMARY, after: undefined };
const eve = { kind: "profile", before: EVE, after: undefined };
const token = { kind: "token", before: TOKEN, after: undefined };

const byId = (...records: readonly { readonly id: string }[]) =>
  new Map(records.map((record) => [record.id, record]));
const LIVE = { accounts: byId(ACME), profiles: byId(PRIMARY, EVE), tokens: byId(TOKEN) };

const kept = (serial: string, previous: readonly string[] = []) => ({
  tokens: [
    {
      login: "eve@acme",
      name: "prod",
      keepers: { rotation: "1" },
      record: { ...TOKEN, serial },
      previous: previous.map((old) => ({ serial: old })),
    },
  ],
  failedRevocations: [],
  temporaryPasswords: [],
  objects: {},
});

interface Run extends Partial<Omit<Witness, "outcome" | "state" | "exchanges">> {
  readonly end?: string;
  readonly printed?: readonly string[];
  readonly planned?: readonly object[];
  readonly listed?: readonly Listed[];
  readonly exchanges?: readonly Partial<Exchange>[];
  readonly state?: object;
}

function witness({
  end = "ok",
  printed = [],
  planned = [],
  listed = [],
  exchanges = [],
  ...rest
}: Run): Witness {
  return {
    engine: "embedded",
    verb: "apply",
    declaration: NOTHING,
    before: LIVE,
    after: LIVE,
    state: { before: kept("ATH1"), after: kept("ATH1") },
    chronicle: { revokedTokens: new Set() },
    service: SERVICE,
    exchanges,
    outcome: { end, codes: [], failures: [], printed, planned, listed },
    ...rest,
  } as unknown as Witness;
}

function request(method: string, path: string, commits: readonly object[], rivals: readonly object[] = []) {
  const truth = { status: 200, body: "" };
  return {
    index: 0,
    method,
    path,
    commits,
    rivals: { before: rivals, after: [] },
    truth,
  } as never as Exchange;
}

const told = (type: Type, key: string, action = "delete"): Listed => ({ type, key, action });
const ofUser = told("tenancy_user_profile", "eve@acme");
const ofAccount = told("tenancy_account", "acme");
const ofToken = told("tenancy_authorization", "eve@acme/prod");

describe("of what ceases it is noticed that the plan", () => {
  const unlisted = (commits: readonly object[], run: Run = {}) => {
    const exchanges = [request("DELETE", "/api/any", commits)];
    return unlistedLosses.violations(witness({ exchanges, ...run })).map((one) => one.split(" ")[3]);
  };

  test("told of a user of the account, and not of the account", () => {
    const listed = [told("tenancy_user_profile", "jane@acme", "update"), ofUser];
    expect(unlisted([account, primary, eve], { listed, printed: ["~ jane@acme"] })).toEqual(["acme"]);
    expect(unlisted([account, primary, eve], { listed: [...listed, ofAccount] })).toEqual([]);
  });

  test("told of the account, and not of a user who goes with it; Terraform lists none that is not in its state", () => {
    expect(unlisted([account, primary, eve], { listed: [ofAccount] })).toEqual(["eve@acme"]);
    expect(unlisted([account, primary, eve], { listed: [ofAccount], engine: "terraform" })).toEqual([]);
    expect(unlisted([eve], { listed: [ofAccount], engine: "terraform" })).toEqual(["eve@acme"]);
  });

  test("told of a user as not declared, or only once the operation was done", () => {
    for (const printed of ["Unmanaged\n  eve@acme 39 rights", '{"type":"apply_complete","addr":"eve@acme"}'])
      expect(unlisted([eve], { printed: [printed] })).toEqual(["eve@acme"]);
    expect(unlisted([eve], { listed: [ofUser] })).toEqual([]);
  });

  test("told of an update of what is deleted", () => {
    expect(unlisted([eve], { listed: [{ ...ofUser, action: "update" }] })).toEqual(["eve@acme"]);
  });

  test("did not tell of a token that is revoked", () => {
    expect(unlisted([token])).toEqual(["ATH1"]);
    expect(unlisted([token], { listed: [told("tenancy_authorization", "eve@acme/dev")] })).toEqual(["ATH1"]);
    expect(unlisted([token], { state: { before: kept("ATH2") }, listed: [ofToken] })).toEqual(["ATH1"]);
    expect(unlisted([token], { state: { before: kept("ATH2", ["ATH1"]) }, listed: [ofToken] })).toEqual([]);
    expect(unlisted([token, eve], { listed: [ofUser] })).toEqual([]);
    for (const listed of [ofToken, ofUser, ofAccount])
      expect(unlisted([token], { listed: [listed] })).toEqual([]);
  });

  test("told of an update of a token that names another serial", () => {
    const update = { ...ofToken, action: "update" };
    expect(unlisted([token], { listed: [{ ...update, shown: "previous: ATH0" }] })).toEqual(["ATH1"]);
    expect(unlisted([token], { listed: [{ ...update, shown: "serial: ATH1" }] })).toEqual([]);
    expect(unlisted([token], { listed: [update], engine: "terraform" })).toEqual([]);
  });
});

describe("of a run that ended well it is noticed that it showed, and did not do,", () => {
  const planned = (type: Type, key: string, action: string): Partial<PlannedAction> => ({
    type,
    key,
    action,
    address: key,
  });
  const undone = (action: Partial<PlannedAction>, run: Run = {}) =>
    unfinishedPlans.violations(witness({ planned: [action], ...run })).length;

  test.each(["embedded", "terraform"] as const)("an update (%s)", (engine) => {
    const update = planned("tenancy_user_profile", "eve@acme", "update");
    expect(undone(update, { engine })).toBe(1);
    const path = `/api/user-profile/${EVE.id}`;
    expect(undone(update, { engine, exchanges: [request("PATCH", path, [])] })).toBe(0);
    const other = request("PATCH", `/api/user-profile/${PRIMARY.id}`, []);
    expect(undone(update, { engine, exchanges: [other] })).toBe(1);
    expect(undone(update, { engine, end: "failed" })).toBe(0);
  });

  test("an update of an account, unless what is remembered alone was to change: protection, or a password that is no longer declared", () => {
    const update = planned("tenancy_account", "acme", "update");
    const state = (isProtected: boolean, ...versions: readonly number[]) => {
      const passwords = versions.map((version) => ["password_wo", { version }] as const);
      const entry = { isProtected, write_only: Object.fromEntries(passwords) };
      return { ...kept("ATH1"), objects: { "account:acme": entry } };
    };
    const run = (before: object, after: object) => undone(update, { state: { before, after } });
    expect(run(state(true), state(true))).toBe(1);
    expect(run(state(true), state(false))).toBe(0);
    expect(run(state(true, 1), state(true, 2))).toBe(1);
    expect(run(state(true, 1), state(true))).toBe(0);
  });

  test("a create, a delete, and one half of a replacement", () => {
    expect(undone(planned("tenancy_user_profile", "jane@acme", "create"))).toBe(1);
    expect(undone(planned("tenancy_account", "acme", "delete"))).toBe(1);
    expect(undone(planned("tenancy_authorization", "eve@acme/prod", "delete"))).toBe(1);
    const replace = planned("tenancy_user_profile", "eve@acme", "replace");
    const gone = request("DELETE", `/api/user-profile/${EVE.id}`, [eve]);
    const made = request("POST", "/api/user-profile", [{ kind: "profile", before: undefined, after: EVE }]);
    expect(undone(replace, { exchanges: [gone] })).toBe(1);
    expect(undone(replace, { exchanges: [gone, made] })).toBe(0);
  });

  test("a rotation, also one that is shown as an update", () => {
    const user = { account: "acme", user: "csi" } as const;
    const settings = { keepers: 2, retainFor: "7d", retain: 1 } as const;
    const declaration = edited(NOTHING, { kind: "token", ...user, token: "prod", settings });
    const keptOfCsi = (serial: string, rotation: string) => ({
      tokens: kept(serial).tokens.map((one) => ({ ...one, login: "csi@acme", keepers: { rotation } })),
    });
    const before = keptOfCsi("ATH1", "1");
    for (const action of ["replace", "update"]) {
      const rotation = planned("tenancy_authorization", "csi@acme/prod", action);
      expect(undone(rotation, { declaration, state: { before, after: before } })).toBe(1);
      expect(undone(rotation, { declaration, state: { before, after: keptOfCsi("ATH2", "2") } })).toBe(0);
    }
    const same = keptOfCsi("ATH1", "2");
    const update = planned("tenancy_authorization", "csi@acme/prod", "update");
    expect(undone(update, { declaration, state: { before: same, after: same } })).toBe(0);
  });

  test("something although somebody else wrote, unless it was in the same account", () => {
    const update = planned("tenancy_user_profile", "eve@acme", "update");
    const by = (login: string) => [
      request("GET", "/api/account", [], [{ kind: "profile", before: undefined, after: { ...EVE, login } }]),
    ];
    expect(undone(update, { exchanges: by("jane@globex") })).toBe(1);
    expect(undone(update, { exchanges: by("jane@acme") })).toBe(0);
    const reviewed = { planned: [update], listed: [], printed: [], moved: false, tokensMoved: false };
    const since = (before: object) => undone(update, { reviewed: { ...reviewed, before } as never });
    expect(since(LIVE)).toBe(1);
    expect(since({ ...LIVE, profiles: byId(PRIMARY) })).toBe(0);
  });
});
