/** Which live record is meant by a declaration: covers src/resources/record/inventory.ts. */
import type { AccountRecord, CommonRecord, ProfileRecord } from "../../../src/api";
import { notVerified, type TenancyError } from "../../../src/problems";
import { Snapshot } from "../../../src/service/snapshot";
import { resource as accountResource } from "../../../src/resources/account";
import type { IsRecorded, LookupResult } from "../../../src/resources/family";
import { identityOf } from "../../../src/ownership";
import { resource as profileResource } from "../../../src/resources/user-profile";
import { UNKNOWN } from "../../../src/lib/values";
import { family as virtualDisk } from "../../support/virtual-disk";

const { inventory: accounts } = accountResource;
const { inventory: profiles } = profileResource;
const { inventory: disks } = virtualDisk.resource;

/** The uuids of the records that the state has recorded. */
const ours = (n: number) => `${String(n).padStart(8, "0")}-9d0b-4a52-8f3e-5b1c2d3e4f50`;
const OURS = ours(0);
const OTHERS = "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f";
const isRecorded: IsRecorded = (_key, { uuid }) => typeof uuid === "string" && uuid.endsWith(OURS.slice(8));

function account(id: number, name: string, uuid: string | null): AccountRecord {
  return { id: `account:1:${id}`, serial: `ACT${id}`, name, uuid, admin_profile_id: `user:1:${id}` };
}

function profile(id: number, accountId: number, login: string, uuid: string | null): ProfileRecord {
  return { id: `user:1:${id}`, serial: `USR${id}`, login, uuid, account_id: `account:1:${accountId}` };
}

function snapshot(
  accountList: readonly AccountRecord[],
  profileList: readonly ProfileRecord[] = [],
  diskList: readonly CommonRecord[] | TenancyError = [],
): Snapshot {
  const caller = { account: { name: "system" } };
  const others = new Map([["virtual_disk", diskList]]);
  const lists = { accounts: accountList, profiles: profileList, others };
  return new Snapshot({ ...lists, caller, callerProfile: undefined });
}

/** What the user reads of an object that is refused. */
function told(found: LookupResult) {
  if (found.kind !== "refused") throw new Error(`the object is ${found.kind}`);
  const { code, message, detail, advice } = found.error;
  return { code, text: [message, detail, advice].join("\n") };
}

const seek = (config: object, ...records: AccountRecord[]) =>
  accounts.locate({ name: "globex", ...config }, snapshot(records), isRecorded);

test("what is not live is absent", () => {
  expect(seek({}, account(1, "initech", null))).toEqual({
    kind: "absent",
    key: { kind: "account", names: ["globex"] },
  });
});

test("what has the name is managed where the state has recorded it", () => {
  expect(seek({}, account(1, "globex", OURS))).toMatchObject({ claim: "managed" });
  expect(seek({}, account(1, "globex", OTHERS))).toMatchObject({ claim: "unmanaged" });
  expect(seek({}, account(1, "globex", null))).toMatchObject({ claim: "unmanaged" });
  expect(seek({ uuid: OTHERS }, account(1, "globex", OTHERS))).toMatchObject({ claim: "unmanaged" });
});

test("names are the same in every Unicode form", () => {
  const live = account(1, "cafe\u0301", OURS);
  expect(accounts.locate({ name: "caf\u00e9" }, snapshot([live]), isRecorded)).toMatchObject({
    claim: "managed",
  });
});

test("a user is looked for in its account", () => {
  const lists = snapshot(
    [account(1, "globex", OURS)],
    [profile(1, 1, "globex", null), profile(2, 1, "jane@globex", OURS)],
  );
  const locate = (config: object) => profiles.locate({ username: "jane", ...config }, lists, isRecorded);
  expect(locate({ account_id: "account:1:1" })).toMatchObject({
    claim: "managed",
    records: { self: { login: "jane@globex" } },
  });
  expect(locate({ account_id: "ACT1" })).toMatchObject({
    kind: "refused",
    error: { code: "TENANCY_INVALID_VALUE" },
  });
  expect(locate({ account_id: UNKNOWN })).toEqual({ kind: "unknown", isAccountKnown: false });
  expect(locate({ account_id: "account:1:9" })).toEqual({ kind: "absent", key: undefined });
});

test("what is ours is told from the lists alone, primary user profiles with their accounts", () => {
  const lists = snapshot(
    [account(1, "globex", OURS), account(2, "initech", OTHERS)],
    [
      profile(1, 1, "globex", OTHERS),
      profile(2, 2, "initech", null),
      profile(3, 2, "jane@initech", OURS),
      profile(4, 2, "bob@initech", OTHERS),
    ],
  );
  expect(accounts.managed(lists, isRecorded).map(({ records }) => records)).toEqual([
    { self: lists.accounts[0], primary: lists.profiles[0] },
  ]);
  expect(profiles.managed(lists, isRecorded).map(({ key }) => key)).toEqual([
    { kind: "user_profile", names: ["initech", "jane"] },
  ]);
});

test("matching twenty thousand objects costs look-ups, not searches", () => {
  const count = 20_000;
  const list = Array.from({ length: count }, (_unused, n) => account(n, `tenant-${n}`, ours(n)));
  const lists = snapshot(list);
  const found = list.filter(
    ({ name }) => accounts.locate({ name: name! }, lists, isRecorded).kind === "live",
  );
  expect(found).toHaveLength(count);
  expect(accounts.managed(lists, isRecorded)).toHaveLength(count);
});

test("of two accounts with one name none is meant, in whatever order they are listed, and none is ours to delete", () => {
  const ours = account(1, "globex", OURS);
  const other = account(2, "globex", OTHERS);
  for (const records of [
    [ours, other],
    [other, ours],
  ]) {
    expect(seek({}, ...records)).toMatchObject({ kind: "refused", error: { code: "TENANCY_TWIN_RECORDS" } });
    expect(accounts.managed(snapshot(records), isRecorded)).toEqual([]);
  }
});

test("what is not known of a user's key leaves the user unknown, and no account stands for the caller's own", () => {
  const system = account(9, "system", null);
  const lists = (...more: AccountRecord[]) =>
    snapshot([system, ...more], [profile(1, 9, "system", null), profile(2, 9, "jane@system", null)]);
  const locate = (config: object, from = lists()) => profiles.locate(config as never, from, isRecorded);
  expect(locate({ username: "jane" })).toMatchObject({ kind: "live", key: { names: ["system", "jane"] } });
  expect(locate({ username: UNKNOWN })).toEqual({ kind: "unknown", isAccountKnown: true });
  expect(locate({ username: UNKNOWN, account_id: "account:1:9" })).toEqual({
    kind: "unknown",
    isAccountKnown: true,
  });
  const nameless = lists({ id: "account:1:1", name: null });
  expect(locate({ username: "jane", account_id: "account:1:1" }, nameless)).toEqual({
    kind: "absent",
    key: undefined,
  });
});

test("an account without its primary user profile's id is found without that profile", () => {
  const { admin_profile_id: _, ...bare } = account(1, "globex", OURS);
  const found = accounts.locate(
    { name: "globex" },
    snapshot([bare], [profile(1, 1, "globex", null)]),
    isRecorded,
  );
  expect(found).toMatchObject({ kind: "live", records: { self: bare, primary: undefined } });
});

test("a user of ours who was made an account's primary one is neither managed nor imported nor pruned by itself", () => {
  const jane = profile(2, 1, "jane@globex", OURS);
  const bob = profile(3, 1, "bob@globex", ours(3));
  const lists = snapshot([{ ...account(1, "globex", null), admin_profile_id: jane.id! }], [jane, bob]);
  const found = profiles.locate({ username: "jane", account_id: "account:1:1" }, lists, isRecorded);
  for (const refused of [found, profiles.locateById("user:1:2", lists, isRecorded)]) {
    expect(told(refused).code).toBe("TENANCY_PRIMARY_PROFILE");
    expect(told(refused).text).toContain('"jane@globex"');
  }
  expect(profiles.managed(lists, isRecorded).map(({ records }) => records.self)).toEqual([bob]);
  const nameless = snapshot(
    [{ ...account(1, "globex", null), admin_profile_id: "user:1:2" }],
    [{ ...jane, login: null }],
  );
  expect(told(profiles.locateById("USR2", nameless, isRecorded)).text).toContain('"USR2"');
});

test("a user's key is made of the account's name, or the login's where the account is not listed", () => {
  const guests = ["a@b@globex", "jane@initech", "bob@initech@2"];
  const lists = snapshot(
    [account(1, "globex", null)],
    guests.map((login, n) => profile(n, n === 0 ? 1 : 7, login, null)),
  );
  const keys = guests
    .map((login) => profiles.locateById(login, lists, isRecorded))
    .map((found) => "key" in found && found.key?.names);
  expect(keys).toEqual([
    ["globex", "a@b"],
    ["initech", "jane"],
    ["initech@2", "bob"],
  ]);
});

test("only what is asked about is judged for ours", () => {
  const list = ["globex", "initech"].map((name, n) => account(n, name, ours(n)));
  const found = accounts.managed(snapshot(list), isRecorded, ({ name }) => name === "initech");
  expect(found.map(({ records }) => records.self)).toEqual([list[1]]);
});

test("what an account or a user is to be found as again is its identity, key, account and sequence numbers", () => {
  const self = { ...profile(2, 1, "jane@globex", OTHERS), seq: 7 };
  expect(profiles.expectation({ self })).toEqual({
    ...identityOf(self),
    uuid: OTHERS,
    key: "jane@globex",
    accountId: "account:1:1",
    seq: 7,
    partSeq: undefined,
  });
  const tenant = { ...account(1, "globex", OTHERS), account_id: "account:1:9", seq: 3 };
  expect(accounts.expectation({ self: tenant, primary: self })).toEqual({
    ...identityOf(tenant),
    uuid: OTHERS,
    key: "globex",
    accountId: undefined,
    seq: 3,
    partSeq: 7,
  });
});

test("a key that is yet to be made names the account as it is listed, and nothing else by an id", () => {
  const lists = snapshot([account(1, "globex", null)]);
  const from = (config: Readonly<Record<string, string>>) => (attribute: string) => config[attribute]!;
  const jane = from({ account_id: "account:1:1", username: "jane" });
  expect(profiles.foreseen(jane, lists)).toBe("jane@globex");
  expect(profiles.foreseen(jane)).toBe("jane@account:1:1");
  expect(profiles.foreseen(from({ account_id: "initech", username: "ACT1" }), lists)).toBe("ACT1@initech");
  expect(accounts.foreseen(from({ name: "ACT1" }), lists)).toBe("ACT1");
});

describe("records of a family that shows its key in no member", () => {
  const disk = (id: number, name: string, uuid: string | null) => ({
    id: `vdisk:1:${id}`,
    name,
    uuid,
    account_id: "account:1:1",
    seq: id,
  });
  const data = disk(1, "data", OURS);
  const lists = (...list: CommonRecord[]) => snapshot([account(1, "globex", null)], [], list);
  const locate = (name: string, from: Snapshot) =>
    disks.locate({ name, account_id: "account:1:1" }, from, isRecorded);

  test("are found by the names that make it, declared or imported, and are ours by their account's name", () => {
    const logs = disk(2, "logs", OTHERS);
    const from = lists(data, logs);
    expect(locate("data", from)).toMatchObject({ claim: "managed", records: { self: data } });
    expect(locate("logs", from)).toMatchObject({ claim: "unmanaged", records: { self: logs } });
    expect(disks.locateById("globex:logs", from, isRecorded)).toMatchObject({ records: { self: logs } });
    expect(disks.managed(from, isRecorded)).toMatchObject([{ key: { names: ["globex", "data"] } }]);
    expect(disks.expectation({ self: data })).toEqual({
      ...identityOf(data),
      uuid: data.uuid,
      key: undefined,
      accountId: "account:1:1",
      seq: 1,
      partSeq: undefined,
    });
  });

  test("are neither known for ours nor for absent where the service refuses their list", () => {
    const refused = snapshot([], [], notVerified.error("not for you"));
    expect(disks.managed(refused, isRecorded)).toEqual([]);
    expect(disks.unprovenAbsence(undefined, refused)).toEqual({
      blocksCreate: true,
      reason: "the service refuses the list: not for you",
    });
    const whole = snapshot([account(9, "system", null)], [profile(9, 9, "system", null)]);
    expect(disks.unprovenAbsence(undefined, whole)).toBeUndefined();
    const absent = { kind: "virtual_disk", names: ["globex", "data"] };
    expect(disks.unprovenAbsence(absent, whole)?.reason).toBe('its account "globex" is not listed');
  });

  test("are named by no line that declares something removed", () => {
    expect(disks.removedBy).toBeUndefined();
    expect([accounts.removedBy, profiles.removedBy]).toEqual(["account", "login"]);
  });
});
