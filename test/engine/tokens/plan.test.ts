/**
 * Plans of declared tokens and of tokens in the state, without a whole run; other suites of this folder have whole runs. Also
 * covers src/engine/tokens/check.ts.
 */
import { EntryList, type TokenEntry, tokenKind } from "../../../src/state/entries";
import {
  warnEndedTokensOfOthers,
  endsTokensOf,
  isUserDeleted,
  checkTokenUsers,
} from "../../../src/engine/tokens/user";
import { isCalled, createsToken } from "../../../src/engine/tokens/identity";
import { planToken, type PlanTokenOptions } from "../../../src/engine/tokens/plan";
import { selectionOfRotation } from "../../../src/engine/tokens/rotation";
import type { PlannedObject } from "../../../src/engine/planned-object";
import type { Prune } from "../../../src/engine/change";
import type { ReadTarget } from "../../../src/engine/target";
import { knowingUnlisted, withUnlistedUsers } from "../../../src/engine/tokens/check";
import { changeWith } from "../../../src/plan";
import { resource } from "../../../src/resources/authorization";
import { Snapshot } from "../../../src/service";
import {
  KnownSecrets,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  UNKNOWN,
  type Value,
} from "../../../src/lib/values";
import { csiToken } from "../../state/samples";
import { connected } from "../../support/connections";
import { change } from "../../support/plans";
import { codes, findings } from "../../support/projects";

const ORIGIN = "https://storage.example";
const KEY = "csi@globex/csi-prod";
const [SERIAL, PREVIOUS] = [csiToken.record.serial, csiToken.previous[0]!.serial];
const NO_LONGER_GOOD = "the token in the state is no longer valid";

const csi = { id: "user_profile:1:9", serial: "USR9", login: "csi@globex", account_id: "account:1:2" };
const system = { id: "user_profile:1:1", serial: "USR1", login: "system", account_id: "account:1:1" };

/** Lists that are whole, unless the system account is left out. */
function listing(users: readonly object[], isWhole = true): Snapshot {
  const accounts = [
    { id: "account:1:1", serial: "ACC1", name: "system" },
    { id: "account:1:2", serial: "ACC2", name: "globex" },
  ];
  return new Snapshot({
    accounts: isWhole ? accounts : accounts.slice(1),
    profiles: [system, ...users] as never,
    caller: { account: { name: "system" }, permissions: { realm: { rights: { manage_accounts: true } } } },
    callerProfile: "system",
  });
}

interface Given {
  readonly users?: readonly object[];
  readonly isWhole?: boolean;
  readonly kept?: readonly TokenEntry[];
  readonly refused?: readonly string[] | undefined;
  readonly unlisted?: readonly string[];
  readonly takenAt?: string;
  readonly username?: string;
}

function targetOf(given: Given = {}): ReadTarget {
  const { users = [csi], isWhole = true, kept = [csiToken], refused, unlisted = [], takenAt } = given;
  const tokens = new EntryList(
    new Map(kept.map((one) => [tokenKind.keyOf(one), one])),
    tokenKind,
    () => undefined,
  );
  return {
    provider: "tenancy",
    origin: ORIGIN,
    connection: { username: given.username },
    part: { tokens },
    snapshot: listing(users, isWhole),
    refused: new Map(refused === undefined ? [] : [[SERIAL, refused]]),
    unlisted: new Set(unlisted),
    readAt: 7,
    secrets: new KnownSecrets(),
    takenAt,
  } as never;
}

interface Declared extends Given {
  readonly config?: ObjectValue;
  readonly options?: Partial<PlanTokenOptions>;
  readonly ignored?: readonly (readonly string[])[];
  readonly sensitive?: readonly (readonly string[])[];
  readonly importId?: string;
}

/** Plans a token whose declaration equals the entry in the state, except for the given values. */
function planned({ config = {}, options = {}, ...given }: Declared = {}): PlannedObject {
  const declared = {
    block: { lifecycle: { ignoreChanges: given.ignored ?? [] } },
    instance: { address: "tenancy_authorization.csi" },
    resource,
    target: targetOf(given),
    config: { login: "csi@globex", name: "csi-prod", keepers: { quarter: "2026Q1" }, ...config },
    sensitive: given.sensitive ?? [],
    titleOf: (key: string) => key,
    importId: given.importId,
  };
  return planToken(declared as never, {
    plannedAt: new Date("2026-01-03T00:00:00Z"),
    foreseenKey: () => "foreseen",
    isNewUser: () => false,
    isWithoutAccess: () => false,
    ...options,
  });
}

const rotating = (token: string, compromised = false) => ({ options: { rotation: { token, compromised } } });

describe("a declared token", () => {
  test("is created by what makes it, and by no change of a record", () => {
    const email = change({
      kind: "account",
      name: "acme",
      before: { email: null },
      after: { email: "a@acme" },
    });
    expect([email.action, createsToken(email)]).toEqual(["update", false]);
  });

  test("that is kept stays as it is, and is ours", () => {
    const { change, config } = planned();
    expect(change).toMatchObject({ action: "none", key: KEY, claim: "managed", attributes: [], notes: [] });
    expect(change.observedRecord).toEqual({
      id: csiToken.record.id,
      serial: SERIAL,
      accountId: undefined,
      seq: undefined,
      key: KEY,
      readAt: 7,
    });
    expect(change.before).toMatchObject({ login_with: "password", retain_previous: 1, serial: SERIAL });
    expect(change.before).not.toHaveProperty("password_wo");
    expect(config["keepers"]).toEqual({ quarter: "2026Q1" });
    expect(createsToken(change)).toBe(false);
  });

  test("that is not kept is created, and is nobody's so far", () => {
    const { change } = planned({ kept: [] });
    expect(change).toMatchObject({ action: "create", key: KEY, before: null, notes: [] });
    expect([change.claim, change.observedRecord]).toEqual([undefined, undefined]);
    expect(createsToken(change)).toBe(true);
  });

  test("has the login of the run's own credentials where none is declared", () => {
    expect(planned({ config: { login: null }, username: "csi@globex" }).change.action).toBe("none");
    expect(planned({ config: { login: null } }).change).toMatchObject({ action: "create", key: "foreseen" });
  });

  test.each(["login", "name"])("has the key that can be foreseen while its %s is unknown", (member) => {
    expect(planned({ config: { [member]: UNKNOWN } }).change).toMatchObject({
      action: "create",
      key: "foreseen",
    });
  });

  test("cannot be imported", async () => {
    const importing = async () => planned({ importId: "authorization:1:7" });
    expect(codes(await findings(importing()))).toEqual(["TENANCY_NOT_IMPORTABLE"]);
  });

  test("keeps what is ignored of it", () => {
    const config = { keepers: { quarter: "2026Q2" } };
    expect(planned({ config }).change.action).toBe("update");
    expect(planned({ config, ignored: [["keepers"]] }).change.action).toBe("none");
  });
});

describe("keepers of which one was sensitive when their token was created", () => {
  const keepers = { quarter: "2026Q1", seed: "s3cret" };
  const kept = [{ ...csiToken, keepers, sensitive_keepers: true }];

  test.each<ObjectValue[]>([[{ quarter: "2026Q1", seed: "plain" }], [{}]])(
    "are shown by no plan, although %j is declared now",
    (declared) => {
      const { change, sensitive } = planned({ kept, config: { keepers: declared } });
      expect(change).toMatchObject({ action: "update", sensitive: [["keepers"]] });
      expect(sensitive).toEqual([]);
    },
  );

  test.each([["keepers"], ["keepers", "seed"]])("stay sensitive if they are ignored: %j %j", (...ignored) => {
    const declared = { keepers: { quarter: "2026Q1", seed: "plain" } };
    const { change, sensitive } = planned({ kept, config: declared, ignored: [ignored] });
    expect(change.action).toBe("none");
    expect(sensitive).toEqual([["keepers"]]);
  });
});

describe("a kept token is no longer valid", () => {
  test.each<readonly [string, Declared]>([
    ["where the service refuses it", { refused: [] }],
    ["where its user is gone", { users: [] }],
    ["where another user has its login", { users: [{ ...csi, id: "user_profile:2:1", serial: "USR2" }] }],
    ["where the run makes its user", { options: { isNewUser: () => true } }],
  ])("%s", (_where, given) => {
    const { change } = planned(given);
    expect(change).toMatchObject({ action: "create", before: null, notes: [NO_LONGER_GOOD] });
    expect([change.claim, change.observedRecord]).toEqual([undefined, undefined]);
  });

  test.each<readonly [string, Declared]>([
    ["its user was listed under the serial number", { users: [{ ...csi, id: "x", serial: csi.id }] }],
    ["nothing is said of its user's id", { users: [{ ...csi, id: undefined, serial: "USR2" }] }],
    [
      "the service did not say whose it is",
      {
        users: [{ ...csi, id: "x" }],
        kept: [{ ...csiToken, record: { ...csiToken.record, user_id: null } }],
      },
    ],
    ["its user is missing in a list that is not whole", { users: [], isWhole: false }],
    ["its user is known to be live", { users: [], unlisted: [SERIAL], options: { isNewUser: () => true } }],
  ])("but not where %s", (_where, given) => {
    expect(planned(given).change).toMatchObject({ action: "none", notes: [] });
  });

  test("and those of its earlier ones that are still valid stay with its successor", () => {
    const older = { ...csiToken.previous[0]!, serial: "ATH0" };
    const kept = [{ ...csiToken, previous: [...csiToken.previous, older] }];
    const { change } = planned({ kept, refused: [PREVIOUS] });
    expect(change).toMatchObject({
      action: "update",
      claim: "managed",
      before: { serial: null, access_token: null, previous: [{ serial: PREVIOUS }] },
      notes: [NO_LONGER_GOOD],
    });
    expect(change.before?.["previous"]).toHaveLength(1);
    expect(createsToken(change)).toBe(true);
  });
});

describe("a plan from a snapshot", () => {
  const takenAt = "2026-01-02T04:00:00Z";
  const lacks = (path: string) => `${path} is not known here: only the apply shows whether it changes`;

  test("has no secret of a token", () => {
    const { change } = planned({ takenAt });
    expect(change).toMatchObject({ action: "none", notes: [] });
    expect(change.before).toMatchObject({
      access_token: NOT_IN_SNAPSHOT,
      previous: [{ access_token: NOT_IN_SNAPSHOT }],
    });
  });

  test("takes keepers that it lacks for unchanged, and says so", () => {
    const kept = [{ ...csiToken, keepers: NOT_IN_SNAPSHOT }];
    const at = (keepers: Value) => planned({ takenAt, kept, config: { keepers } }).change;
    expect(at({ quarter: "2026Q2" })).toMatchObject({ action: "none", notes: [lacks("keepers")] });
    expect(at(null)).toMatchObject({ action: "update", notes: [] });
    expect(at(NOT_IN_SNAPSHOT)).toMatchObject({ action: "none", notes: [] });
    expect(at(UNKNOWN)).toMatchObject({ action: "update", notes: [] });
  });

  test("takes sensitive keepers that are unknown for unchanged, and no others", () => {
    const at = (...sensitive: (readonly string[])[]) =>
      planned({ takenAt, sensitive, config: { keepers: UNKNOWN } }).change;
    expect(at(["name"], ["keepers"])).toMatchObject({ action: "none", notes: [lacks("keepers")] });
    expect(at(["name"])).toMatchObject({ action: "update", notes: [] });
    const sensitive = [["keepers"]];
    expect(planned({ takenAt, sensitive }).change).toMatchObject({ notes: [] });
    const asked = planned({ sensitive, config: { keepers: UNKNOWN } }).change;
    expect(asked).toMatchObject({ action: "update", notes: [] });
    const declared = { takenAt, sensitive, config: { keepers: { quarter: "2026Q2" } } };
    expect(planned(declared).change.action).toBe("update");
  });

  test("of keepers where there were none, or are none, is a change", () => {
    const kept = [{ ...csiToken, keepers: null }];
    expect(planned({ takenAt, kept }).change).toMatchObject({ action: "update", notes: [] });
  });
});

describe("a rotation on request", () => {
  test.each([KEY, "csi-prod", SERIAL])("creates the successor of the token called %s", (name) => {
    const { change, rotation, config } = planned(rotating(name));
    expect(change.action).toBe("update");
    expect(rotation?.token).toBe(name);
    expect(config["retain_previous_for"]).toBeUndefined();
  });

  test("is no other token's, nor one's that is not kept", () => {
    expect(planned(rotating("other"))).toMatchObject({ change: { action: "none" }, rotation: undefined });
    expect(planned({ ...rotating("csi-prod"), kept: [] }).rotation).toBeUndefined();
  });

  test("of a compromised token keeps nothing, whatever is declared or ignored", () => {
    const config = { retain_previous: 3, retain_previous_for: "9d" };
    const ignored = [["retain_previous"], ["retain_previous_for"]];
    const nothing = { retain_previous: 0, retain_previous_for: "0s" };
    expect(planned({ ...rotating("csi-prod", true), config, ignored }).config).toMatchObject(nothing);
    expect(planned({ ...rotating("csi-prod"), config }).config).toMatchObject(config);
  });

  test("is about one token, and nothing else", async () => {
    const at = (name: string, given: Declared) => {
      const object = planned(given);
      const address = `tenancy_authorization.${name}`;
      return { ...object, block: { address: name }, change: changeWith(object.change, { address }) } as never;
    };
    const [other, one] = [at("b", {}), at("a", rotating("csi-prod"))];
    const select = (...objects: readonly never[]) =>
      selectionOfRotation(objects, { token: "csi-prod", compromised: false }, "the state");
    const selection = select(other, one);
    expect(selection.isPartial).toBe(true);
    for (const name of ["a", "b"]) {
      expect(selection.hasBlock(name)).toBe(name === "a");
      expect(selection.hasObject(`tenancy_authorization.${name}`)).toBe(name === "a");
    }
    const told = await findings((async () => select(one, one))());
    expect(told).toMatchObject([{ code: "TENANCY_UNKNOWN_NAME" }]);
    expect(told[0]?.summary).toContain(`${KEY} (${SERIAL}), ${KEY} (${SERIAL})`);
    expect(codes(await findings((async () => select(other))()))).toEqual(["TENANCY_TOKEN_UNDECLARED"]);
    const unkept = at("c", { kept: [{ ...csiToken, name: "other" }] });
    expect(await findings((async () => select(unkept))())).toMatchObject([
      { code: "TENANCY_UNKNOWN_NAME", advice: "It holds: csi@globex/other." },
    ]);
  });

  test("calls a token by what it is called, in any letters", () => {
    const token = { login: "rene\u0301@globex", name: "ci", serial: "ATH1" };
    for (const name of ["ci", "ATH1", "ren\u00e9@globex/ci"]) expect(isCalled(name, token)).toBe(true);
    for (const name of ["ATH2", "ren\u00e9@globex"]) expect(isCalled(name, token)).toBe(false);
  });
});

describe("a token ends with its user", () => {
  const prune = (id: string | undefined, origin = ORIGIN): Prune =>
    ({
      target: { ...targetOf(), origin },
      resource: { description: { noun: "user profile" } },
      change: { title: "csi@globex", observedRecord: { id } },
    }) as never;

  test("whom a delete takes, or whose account", () => {
    for (const id of [csi.id, csi.account_id]) expect(endsTokensOf("csi@globex", prune(id))).toBe(true);
    expect(endsTokensOf("csi@globex", prune("account:1:1"))).toBe(false);
    expect(endsTokensOf("nobody@globex", prune(undefined))).toBe(false);
  });

  test("so that a declared one is told of, at the same service", () => {
    const object = planned();
    const told = (prunes: readonly Prune[], one: PlannedObject = object) =>
      checkTokenUsers([one], prunes).map(({ code }) => code);
    expect(told([prune("account:1:1"), prune(csi.id)])).toEqual(["TENANCY_TOKEN_WITHOUT_USER"]);
    expect(told([prune(csi.id, "https://other.example")])).toEqual([]);
    expect(told([prune("account:1:1")])).toEqual([]);
    expect(told([prune(csi.id)], planned({ config: { login: UNKNOWN } }))).toEqual([]);
    expect(told([prune(csi.id)], { ...object, resource: { kind: "record" } } as never)).toEqual([]);
  });

  test("so that one which the state keeps for another stack is told of, once", () => {
    const there = { origin: ORIGIN, stack: "team-b", logins: new Set(), tokens: [csiToken] };
    const target = (stack: string, neighbours: readonly object[] = [there], origin = ORIGIN) =>
      ({ ...targetOf(), origin, part: { name: { stack }, neighbours } }) as never;
    const told = (prunes: readonly Prune[], targets = [target("acme-platform")]) =>
      warnEndedTokensOfOthers(targets, prunes).map(({ summary }) => summary);
    const ends = [prune(csi.id), prune(csi.account_id)];
    const why = `the token "${KEY}", which the state keeps for the stack "team-b", would end with the user profile "csi@globex"`;
    expect(told(ends)).toEqual([why]);
    expect(told(ends, [target("acme-platform"), target("acme-platform")])).toEqual([why]);
    expect(told(ends, [target("acme-platform", [{ ...there, origin: "https://other.example" }])])).toEqual(
      [],
    );
    expect(told([prune("account:1:1"), prune(csi.id, "https://other.example")])).toEqual([]);
    expect(told([])).toEqual([]);
  });

  test("but not where the user is live without being listed", () => {
    expect(isUserDeleted(csiToken, targetOf({ users: [] }))).toBe(true);
    expect(isUserDeleted(csiToken, targetOf({ users: [], unlisted: [SERIAL] }))).toBe(false);
  });
});

describe("a user who is live without being listed", () => {
  test("proves that the lists are not whole, and names the token by whose user this was found", () => {
    const other = { ...csiToken, name: "a", record: { ...csiToken.record, serial: "ATH1" } };
    const target = targetOf({ users: [], kept: [other, csiToken] });
    const knowing = knowingUnlisted(target, new Set([SERIAL]));
    expect(knowing).toMatchObject({
      tokenOfUnlisted: KEY,
      incomplete: expect.stringMatching(
        /^the user profile user_profile:1:9, known as csi@globex, /,
      ) as string,
    });
    expect(knowing.unlisted).toEqual(new Set([SERIAL]));
    expect(knowingUnlisted(target, new Set())).toEqual({ ...target, unlisted: new Set() });
  });

  test("names no token where the lists are not whole anyway, and is no gap under another login", () => {
    const short = knowingUnlisted(targetOf({ users: [], isWhole: false }), new Set([SERIAL]));
    expect(short.incomplete).toMatch(/^the account that the run acts in/);
    expect(short).not.toHaveProperty("tokenOfUnlisted");
    expect(short.unlisted).toEqual(new Set([SERIAL]));
    const renamed = targetOf({ users: [{ ...csi, login: "new@globex" }] });
    expect(knowingUnlisted(renamed, new Set([SERIAL]))).toEqual({ ...renamed, unlisted: new Set([SERIAL]) });
  });

  /** A service with a user whom its list lacks, and tokens in the state, of which one is that user's. */
  async function asked(fault: object | undefined, { user_id, users = [] }: { user_id?: null } & Given = {}) {
    const { simulator, connection } = await connected();
    simulator.records.createAccount({ name: "globex" });
    const { id } = simulator.records.createProfile("globex", { username: "csi" });
    if (fault === undefined) simulator.records.deleteProfile("csi@globex");
    else simulator.fail({ path: `/api/user-profile/${id}`, times: 9, ...fault });
    const record = { ...csiToken.record, user_id: user_id === null ? null : id };
    const target = { ...targetOf({ users, kept: [{ ...csiToken, record }] }), connection, warnings: [] };
    const unlisted = async () => [...(await withUnlistedUsers(target)).unlisted];
    return { unlisted };
  }

  test("is found by a look for the user's id, and so is one whom nobody may look at", async () => {
    expect(await (await asked({ delay: 0 })).unlisted()).toEqual([SERIAL]);
    expect(await (await asked({ status: 403 })).unlisted()).toEqual([SERIAL]);
    expect(await (await asked(undefined)).unlisted()).toEqual([]);
  });

  test("is not found where the login is listed, or nothing is known of whose the token is, and the service refuses the token", async () => {
    const listed = await asked({ delay: 0 }, { users: [{ ...csi, id: "other" }] });
    expect(await listed.unlisted()).toEqual([]);
    const unknown = await asked({ delay: 0 }, { user_id: null });
    expect(await unknown.unlisted()).toEqual([]);
  });

  test("is not told of where the service does not answer", async () => {
    const { unlisted } = await asked({ status: 500 });
    await expect(unlisted()).rejects.toMatchObject({ code: "TENANCY_API_SERVER" });
  });
});
