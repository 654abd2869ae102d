/** Which live record is meant by a declaration: covers src/resources/record/inventory.ts. */
import type { AccountRecord, ProfileRecord } from "../../../src/api";
import { ownedUuid, parseOwners } from "../../../src/ownership";
import { Snapshot } from "../../../src/service/snapshot";
import { resource as accountResource } from "../../../src/resources/account";
import { resource as profileResource } from "../../../src/resources/user-profile";
import { UNKNOWN } from "../../../src/values";

const { inventory: accounts } = accountResource;
const { inventory: profiles } = profileResource;

const OWNERS = parseOwners("acme-platform", ["old-platform"]);

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
): Snapshot {
  const caller = { account: { name: "system" } };
  return new Snapshot({ accounts: accountList, profiles: profileList, caller, callerProfile: undefined });
}

const seek = (config: object, ...records: AccountRecord[]) =>
  accounts.locate({ name: "globex", ...config }, snapshot(records), OWNERS);

test("what is not live is absent", () => {
  expect(seek({}, account(1, "initech", null))).toEqual({
    kind: "absent",
    key: { kind: "account", names: ["globex"] },
  });
});

test("ours is found in any generation, in any letters, and under a former owner's name", () => {
  const later = account(1, "globex", accountUuid("globex", 7).toUpperCase());
  expect(seek({}, later)).toMatchObject({ claim: "ours", proof: { owner: "acme-platform" } });
  const former = account(1, "globex", accountUuid("globex", 0, "old-platform"));
  expect(seek({}, former)).toMatchObject({ claim: "ours", proof: { owner: "old-platform" } });
});

test("what has the name and not our uuid is foreign", () => {
  expect(seek({}, account(1, "globex", OTHERS))).toMatchObject({ claim: "foreign", proof: undefined });
  expect(seek({}, account(1, "globex", null))).toMatchObject({ claim: "foreign" });
  expect(seek({}, account(1, "globex", accountUuid("globex", 0, "another")))).toMatchObject({
    claim: "foreign",
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
  expect(seek({}, renamed, successor)).toMatchObject({ claim: "ours", records: { self: successor } });
});

test("an object under a uuid of the user's is ours while it is declared, and without proof", () => {
  const live = account(1, "globex", OTHERS);
  expect(seek({ uuid: OTHERS.toUpperCase() }, live)).toMatchObject({ claim: "ours", proof: undefined });
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
  expect(accounts.locate({ name: "caf\u00e9" }, snapshot([live]), OWNERS)).toMatchObject({ claim: "ours" });
});

test("a user is looked for in its account", () => {
  const lists = snapshot(
    [account(1, "globex", accountUuid("globex"))],
    [profile(1, 1, "globex", null), profile(2, 1, "jane@globex", userUuid("globex", "jane"))],
  );
  const locate = (config: object) => profiles.locate({ username: "jane", ...config }, lists, OWNERS);
  expect(locate({ account_id: "account:1:1" })).toMatchObject({
    claim: "ours",
    records: { self: { login: "jane@globex" } },
  });
  expect(locate({ account_id: "ACT1" })).toMatchObject({ claim: "ours" });
  expect(locate({ account_id: UNKNOWN })).toEqual({ kind: "unknown" });
  expect(locate({ account_id: "account:1:9" })).toEqual({ kind: "absent", key: undefined });
});

test("an import takes anybody's object but another owner's", () => {
  const lists = snapshot([
    account(1, "globex", OTHERS),
    account(2, "initech", accountUuid("initech", 0, "another")),
  ]);
  expect(accounts.locateById("ACT1", lists, OWNERS)).toMatchObject({ kind: "live", claim: "foreign" });
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
  expect(accounts.ours(lists, OWNERS).map(({ records }) => records)).toEqual([
    { self: lists.accounts[0], primary: lists.profiles[0] },
  ]);
  expect(profiles.ours(lists, OWNERS).map(({ key }) => key)).toEqual([
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
  expect(accounts.ours(lists, OWNERS)).toHaveLength(count);
});
