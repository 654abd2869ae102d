/** Which live record is meant by a declaration: covers src/resources/record/inventory.ts. */
import type { AccountRecord, CommonRecord, ProfileRecord } from "../../../src/api";
import { ownedUuid, parseOwnerKey, parseOwner } from "../../../src/ownership";
import { notVerified, type TenancyError } from "../../../src/problems";
import { Snapshot } from "../../../src/service/snapshot";
import { resource as accountResource } from "../../../src/resources/account";
import type { LookupResult } from "../../../src/resources/family";
import { identityOf } from "../../../src/ownership";
import { unmanagedError } from "../../../src/resources/record/inventory";
import { resource as profileResource } from "../../../src/resources/user-profile";
import { UNKNOWN } from "../../../src/lib/values";
import { family as virtualDisk } from "../../support/virtual-disk";

const { inventory: accounts } = accountResource;
const { inventory: profiles } = profileResource;
const { inventory: disks } = virtualDisk.resource;

const OWNERS = parseOwner("acme-platform");

const accountUuid = (name: string, generation = 0, owner = "acme-platform") =>
  ownedUuid({ kind: "account", names: [name], owner }, generation);
const userUuid = (account: string, username: string, generation = 0, owner = "acme-platform") =>
  ownedUuid({ kind: "user_profile", names: [account, username], owner }, generation);

const OTHERS = "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f";

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
  accounts.locate({ name: "globex", ...config }, snapshot(records), OWNERS);

test("what is not live is absent", () => {
  expect(seek({}, account(1, "initech", null))).toEqual({
    kind: "absent",
    key: { kind: "account", names: ["globex"] },
  });
});

test("ours is found in any generation and in any letters", () => {
  const later = account(1, "globex", accountUuid("globex", 7).toUpperCase());
  expect(seek({}, later)).toMatchObject({ claim: "managed", proof: { owner: "acme-platform" } });
});

test("what has the name and not our uuid is foreign", () => {
  expect(seek({}, account(1, "globex", OTHERS))).toMatchObject({ claim: "unmanaged", proof: undefined });
  expect(seek({}, account(1, "globex", null))).toMatchObject({ claim: "unmanaged" });
  expect(seek({}, account(1, "globex", accountUuid("globex", 0, "another")))).toMatchObject({
    claim: "unmanaged",
  });
});

test("our uuid under another name was renamed outside, whoever has the name by now", () => {
  const renamed = account(1, "initech", accountUuid("globex"));
  for (const records of [[renamed], [renamed, account(2, "globex", OTHERS)]])
    expect(seek({}, ...records)).toMatchObject({
      kind: "refused",
      error: { code: "TENANCY_RENAMED_OUTSIDE" },
    });
  const successor = account(2, "globex", accountUuid("globex", 1));
  expect(seek({}, renamed, successor)).toMatchObject({
    kind: "refused",
    error: { code: "TENANCY_TWIN_RECORDS" },
  });
});

test("an object under a uuid of the user's is managed where the store has recorded it, and without proof", () => {
  const live = account(1, "globex", OTHERS);
  const recorded = accounts.locate(
    { name: "globex", uuid: OTHERS.toUpperCase() },
    snapshot([live]),
    OWNERS,
    (key, self) => key === "globex" && self === live,
  );
  expect(recorded).toMatchObject({ claim: "managed", proof: undefined });
  expect(seek({ uuid: OTHERS.toUpperCase() }, live)).toMatchObject({ claim: "unmanaged", proof: undefined });
  const ours = accountUuid("globex");
  expect(seek({ uuid: ours }, account(1, "globex", ours))).toMatchObject({ claim: "managed" });
  const others = accountUuid("globex", 0, "others");
  expect(seek({ uuid: others }, account(1, "globex", others))).toMatchObject({
    kind: "refused",
    error: { code: "TENANCY_OTHER_OWNER" },
  });
  expect(seek({ uuid: accountUuid("x") }, live)).toMatchObject({
    kind: "refused",
    error: { code: "TENANCY_OTHER_UUID" },
  });
  expect(seek({ uuid: OTHERS }, account(1, "initech", OTHERS))).toMatchObject({
    kind: "refused",
    error: { code: "TENANCY_RENAMED_OUTSIDE" },
  });
  expect(seek({ uuid: OTHERS })).toMatchObject({ kind: "absent" });
});

test("names are the same in every Unicode form", () => {
  const live = account(1, "cafe\u0301", accountUuid("caf\u00e9"));
  expect(accounts.locate({ name: "caf\u00e9" }, snapshot([live]), OWNERS)).toMatchObject({
    claim: "managed",
  });
});

test("a user is looked for in its account", () => {
  const lists = snapshot(
    [account(1, "globex", accountUuid("globex"))],
    [profile(1, 1, "globex", null), profile(2, 1, "jane@globex", userUuid("globex", "jane"))],
  );
  const locate = (config: object) => profiles.locate({ username: "jane", ...config }, lists, OWNERS);
  expect(locate({ account_id: "account:1:1" })).toMatchObject({
    claim: "managed",
    records: { self: { login: "jane@globex" } },
  });
  expect(locate({ account_id: "ACT1" })).toMatchObject({
    kind: "refused",
    error: { code: "TENANCY_SERIAL_FOR_ID" },
  });
  expect(locate({ account_id: UNKNOWN })).toEqual({ kind: "unknown", isAccountKnown: false });
  expect(locate({ account_id: "account:1:9" })).toEqual({ kind: "absent", key: undefined });
});

test("an import takes anybody's object but another owner's", () => {
  const lists = snapshot([
    account(1, "globex", OTHERS),
    account(2, "initech", accountUuid("initech", 0, "another")),
  ]);
  expect(accounts.locateById("ACT1", lists, OWNERS)).toMatchObject({ kind: "live", claim: "unmanaged" });
  expect(accounts.locateById("initech", lists, OWNERS)).toMatchObject({
    error: { code: "TENANCY_OTHER_OWNER" },
  });
  expect(accounts.locateById("umbrella", lists, OWNERS)).toEqual({ kind: "absent", key: undefined });
});

test("what is ours is told from the lists alone, primary user profiles with their accounts", () => {
  const primary = ownedUuid({ kind: "primary", names: ["globex"], owner: "acme-platform" });
  const lists = snapshot(
    [account(1, "globex", accountUuid("globex")), account(2, "initech", OTHERS)],
    [
      profile(1, 1, "globex", primary),
      profile(2, 2, "initech", null),
      profile(3, 2, "jane@initech", userUuid("initech", "jane", 2)),
      profile(4, 2, "bob@initech", userUuid("globex", "bob")),
    ],
  );
  expect(accounts.managed(lists, OWNERS).map(({ records }) => records)).toEqual([
    { self: lists.accounts[0], primary: lists.profiles[0] },
  ]);
  expect(profiles.managed(lists, OWNERS).map(({ key }) => key)).toEqual([
    { kind: "user_profile", names: ["initech", "jane"] },
  ]);
});

test("matching twenty thousand objects costs look-ups, not searches", () => {
  const count = 20_000;
  const list = Array.from({ length: count }, (_unused, n) =>
    account(n, `tenant-${n}`, accountUuid(`tenant-${n}`)),
  );
  const lists = snapshot(list);
  const found = list.filter(({ name }) => accounts.locate({ name: name! }, lists, OWNERS).kind === "live");
  expect(found).toHaveLength(count);
  expect(accounts.managed(lists, OWNERS)).toHaveLength(count);
});

test("a uuid that is not the declared one is told, and so is one that the service does not show", () => {
  const text = (uuid: string | null) =>
    told(seek({ uuid: accountUuid("x") }, account(1, "globex", uuid))).text;
  expect(text(OTHERS)).toContain(`account "globex" is live with another uuid`);
  expect(text(OTHERS)).toContain(`(id account:1:1) has the uuid ${OTHERS}.`);
  expect(text(null)).toContain("has the uuid that the service does not show.");
});

test("of two accounts with one name none is meant, in whatever order they are listed, and none is ours to delete", () => {
  const ours = account(1, "globex", accountUuid("globex"));
  const other = account(2, "globex", OTHERS);
  for (const records of [
    [ours, other],
    [other, ours],
  ]) {
    expect(seek({}, ...records)).toMatchObject({ kind: "refused", error: { code: "TENANCY_TWIN_RECORDS" } });
    expect(accounts.managed(snapshot(records), OWNERS)).toEqual([]);
  }
});

test("what is not known of a user's key leaves the user unknown, and no account stands for the caller's own", () => {
  const system = account(9, "system", null);
  const lists = (...more: AccountRecord[]) =>
    snapshot([system, ...more], [profile(1, 9, "system", null), profile(2, 9, "jane@system", null)]);
  const locate = (config: object, from = lists()) => profiles.locate(config as never, from, OWNERS);
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
  const { admin_profile_id: _, ...bare } = account(1, "globex", accountUuid("globex"));
  const found = accounts.locate(
    { name: "globex" },
    snapshot([bare], [profile(1, 1, "globex", null)]),
    OWNERS,
  );
  expect(found).toMatchObject({ kind: "live", records: { self: bare, primary: undefined } });
});

test("a user of ours who was made an account's primary one is neither managed nor imported nor pruned by itself", () => {
  const jane = profile(2, 1, "jane@globex", userUuid("globex", "jane"));
  const bob = profile(3, 1, "bob@globex", userUuid("globex", "bob"));
  const lists = snapshot([{ ...account(1, "globex", null), admin_profile_id: jane.id! }], [jane, bob]);
  const found = profiles.locate({ username: "jane", account_id: "account:1:1" }, lists, OWNERS);
  for (const refused of [found, profiles.locateById("user:1:2", lists, OWNERS)]) {
    expect(told(refused).code).toBe("TENANCY_PRIMARY_PROFILE");
    expect(told(refused).text).toContain('"jane@globex"');
  }
  expect(profiles.managed(lists, OWNERS).map(({ records }) => records.self)).toEqual([bob]);
  const nameless = snapshot(
    [{ ...account(1, "globex", null), admin_profile_id: "user:1:2" }],
    [{ ...jane, login: null }],
  );
  expect(told(profiles.locateById("USR2", nameless, OWNERS)).text).toContain('"USR2"');
});

test("a user whose login names another account was renamed outside", () => {
  const moved = profile(2, 1, "jane@umbrella", userUuid("globex", "jane"));
  const lists = snapshot([account(1, "globex", null)], [profile(1, 1, "globex", null), moved]);
  const found = profiles.locate({ username: "jane", account_id: "account:1:1" }, lists, OWNERS);
  expect(told(found)).toMatchObject({
    code: "TENANCY_RENAMED_OUTSIDE",
    text: expect.stringContaining('it is now "jane@umbrella"') as string,
  });
  expect(profiles.managed(lists, OWNERS).map(({ key }) => key.names)).toEqual([["globex", "jane"]]);
});

test("a user's key is made of the account's name, or the login's where the account is not listed", () => {
  const guests = ["a@b@globex", "jane@initech", "bob@initech@2"];
  const lists = snapshot(
    [account(1, "globex", null)],
    guests.map((login, n) => profile(n, n === 0 ? 1 : 7, login, null)),
  );
  const keys = guests
    .map((login) => profiles.locateById(login, lists, OWNERS))
    .map((found) => "key" in found && found.key?.names);
  expect(keys).toEqual([
    ["globex", "a@b"],
    ["initech", "jane"],
    ["initech@2", "bob"],
  ]);
});

test("only what is asked about is judged for ours", () => {
  const list = ["globex", "initech"].map((name, n) => account(n, name, accountUuid(name)));
  const found = accounts.managed(snapshot(list), OWNERS, ({ name }) => name === "initech");
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

describe("under an owner key", () => {
  const ours = parseOwnerKey("the key of the platform team");
  const OURS = parseOwner("acme-platform", ours);
  const keyed = (name: string, ownerKey = ours) =>
    ownedUuid({ kind: "account", names: [name], owner: "acme-platform", ownerKey });
  const lists = snapshot([
    account(1, "globex", keyed("globex")),
    account(2, "initech", accountUuid("initech")),
    account(3, "umbrella", accountUuid("umbrella", 0, "another")),
    account(4, "hooli", keyed("hooli", parseOwnerKey("the key of another team"))),
  ]);
  const imported = (name: string) => accounts.locateById(name, lists, OURS);

  test("an import says whether another owner made the account, or another key", () => {
    expect(imported("globex")).toMatchObject({ claim: "managed", proof: { keyed: true }, warnings: [] });
    for (const [name, id] of [
      ["initech", "account:1:2"],
      ["umbrella", "account:1:3"],
    ] as const) {
      const { code, text } = told(imported(name));
      expect(code).toBe("TENANCY_OTHER_OWNER");
      expect(text).toContain(`account "${name}" (id ${id}) was made by another owner`);
    }
    expect(told(imported("hooli")).code).toBe("TENANCY_OTHER_OWNER_KEY");
  });

  test("what is declared and foreign is told with who may have made it", () => {
    const advice = (name: string, owners: typeof OURS | undefined = OURS) => {
      const found = accounts.locate({ name }, lists, owners);
      if (found.kind !== "live") throw new Error(found.kind);
      const { message, detail, advice: way } = unmanagedError("account", name, found, owners);
      expect(message).toBe(`account "${name}" exists, and this owner does not manage it`);
      return `${detail}\n${way}`;
    };
    expect(advice("hooli")).toContain("under an owner key that this run does not have");
    expect(advice("initech")).toContain("It was made by another owner (id account:1:2)");
    expect(advice("umbrella")).toContain("Leave it to that owner");
    const found = accounts.locate({ name: "globex" }, lists, undefined);
    if (found.kind !== "live") throw new Error(found.kind);
    expect(unmanagedError("account", "globex", found, undefined).detail).toContain("Nothing shows");
  });
});

describe("records of a family that shows its key in no member", () => {
  const uuidOf = (...names: string[]) => ownedUuid({ kind: "virtual_disk", names, owner: "acme-platform" });
  const disk = (id: number, name: string, uuid: string | null) => ({
    id: `vdisk:1:${id}`,
    name,
    uuid,
    account_id: "account:1:1",
    seq: id,
  });
  const data = disk(1, "data", uuidOf("globex", "data"));
  const lists = (...list: CommonRecord[]) => snapshot([account(1, "globex", null)], [], list);
  const locate = (name: string, from: Snapshot) =>
    disks.locate({ name, account_id: "account:1:1" }, from, OWNERS);

  test("are found by the names that make it, declared or imported, and are ours by their account's name", () => {
    const logs = disk(2, "logs", OTHERS);
    const from = lists(data, logs);
    expect(locate("data", from)).toMatchObject({ claim: "managed", records: { self: data } });
    expect(locate("logs", from)).toMatchObject({ claim: "unmanaged", records: { self: logs } });
    expect(disks.locateById("globex:logs", from, OWNERS)).toMatchObject({ records: { self: logs } });
    expect(disks.managed(from, OWNERS)).toMatchObject([{ key: { names: ["globex", "data"] } }]);
    expect(disks.expectation({ self: data })).toEqual({
      ...identityOf(data),
      uuid: data.uuid,
      key: undefined,
      accountId: "account:1:1",
      seq: 1,
      partSeq: undefined,
    });
  });

  test("are told by that key where they were renamed outside", () => {
    expect(told(locate("data", lists({ ...data, name: "archive" }))).text).toContain(
      'virtual disk "globex:data" was renamed outside this configuration: it is now "globex:archive"',
    );
  });

  test("are neither known for ours nor for absent where the service refuses their list", () => {
    const refused = snapshot([], [], notVerified.error("not for you"));
    expect(disks.managed(refused, OWNERS)).toEqual([]);
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
