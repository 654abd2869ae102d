/** What is found in the lists of the service, and as whom the run acts: covers src/service/snapshot.ts. */
import type { AccountRecord, CallerRecord, CommonRecord, ProfileRecord } from "../../src/api";
import { invalidValue, type TenancyError } from "../../src/problems";
import { isPrimary, Register, Snapshot } from "../../src/service/snapshot";

const acme: AccountRecord = { id: "account:1:1", serial: "A1", name: "acme" };
const globex: AccountRecord = { id: "account:1:2", serial: "A2", name: "globex" };
const jane: ProfileRecord = { id: "user:1:1", serial: "U1", login: "jane@acme", account_id: "account:1:1" };
const joe: ProfileRecord = { id: "user:1:2", serial: "U2", login: "joe@globex", account_id: "account:1:2" };
const jim: ProfileRecord = { id: "user:1:3", serial: "U3", login: "jim@globex", account_id: "account:1:2" };
const disk: CommonRecord = { id: "vdisk:1:1" };
const refusal = invalidValue.error("the list is refused");

const snapshot = (caller: CallerRecord = {}, callerProfile?: string, profiles = [jane, joe, jim]) =>
  new Snapshot({
    accounts: [acme, globex],
    profiles,
    others: new Map<string, readonly CommonRecord[] | TenancyError>([
      ["virtual_disk", [disk]],
      ["share", refusal],
    ]),
    caller,
    callerProfile,
  });

describe("a record is found", () => {
  test("by id, serial, name and login, names in any Unicode form", () => {
    const lists = snapshot();
    expect([lists.account("account:1:2"), lists.account("A2"), lists.account("A3")]).toEqual([
      globex,
      globex,
      undefined,
    ]);
    expect([lists.profile("user:1:2"), lists.profile("U2"), lists.profile("A2")]).toEqual([
      joe,
      joe,
      undefined,
    ]);
    expect(lists.accountNamed("globex")).toBe(globex);
    expect(lists.profileWithLogin("jane@acme")).toBe(jane);
    const cafe = { id: "account:1:3", name: "caf\u00e9" };
    expect(new Register([cafe]).find("name", "cafe\u0301")).toBe(cafe);
  });

  test("by uuid in either case; a name in another case is another name", () => {
    const record = { id: "x:1", uuid: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", name: "Acme" };
    const register = new Register<CommonRecord>([record, { id: "x:2" }]);
    expect(register.find("uuid", "6ba7b810-9dad-11d1-80b4-00c04fd430c8")).toBe(record);
    expect(register.find("name", "acme")).toBeUndefined();
    expect(register.find("key", "Acme/x:1", ({ name, id }) => name && `${name as string}/${id}`)).toBe(
      record,
    );
  });

  test("with all others of its account", () => {
    const lists = snapshot();
    expect(lists.profilesOf("account:1:2")).toEqual([joe, jim]);
    expect(lists.profilesOf("account:1:1")).toEqual([jane]);
    expect(lists.profilesOf("account:1:9")).toEqual([]);
  });
});

describe("a list of another family", () => {
  test("is empty where it was not read, and throws the refusal where the service refuses it", () => {
    const lists = snapshot();
    expect(lists.listOf("virtual_disk").records).toEqual([disk]);
    expect(lists.listOf("user_profile").records).toEqual([jane, joe, jim]);
    expect(lists.listOf("other").records).toEqual([]);
    expect(() => lists.listOf("share")).toThrow(refusal);
  });

  test("stays as it is in a snapshot that lacks a record, or knows of one that the lists lack", () => {
    const lists = snapshot({}, "jane@acme").lacking("joe is live");
    for (const [changed, records] of [
      [lists, [disk]],
      [lists.without("user:1:2"), [disk]],
      [lists.without("vdisk:1:1"), []],
    ] as const) {
      expect(changed.listOf("virtual_disk").records).toEqual(records);
      expect(() => changed.listOf("share")).toThrow(refusal);
      expect(changed.unlisted).toBe("joe is live");
      expect(changed.callerProfile).toBe(jane);
    }
    expect(lists.profiles).toEqual([jane, joe, jim]);
    expect(lists.without("user:1:2").profiles).toEqual([jane, jim]);
    expect(lists.without("user:1:2").accounts).toEqual([acme, globex]);
    expect(lists.without("account:1:1").accounts).toEqual([globex]);
    expect(lists.without(undefined).profiles).toEqual([jane, joe, jim]);
  });
});

describe("the user that the run acts as", () => {
  test.each<[string, CallerRecord, string | undefined, ProfileRecord | undefined]>([
    ["is known by a login", {}, "jane@acme", jane],
    ["is known by an id", {}, "user:1:1", jane],
    ["is known by a serial", {}, "U1", jane],
    ["counts before what the service says", { user: { id: "user:1:2" } }, "jane@acme", jane],
    ["is told by the service, where the lists lack the login", { user: { id: "user:1:2" } }, "eve@acme", joe],
    ["is told by an id", { user: { id: "user:1:2" } }, undefined, joe],
    ["is told by a serial", { user: { id: 7, serial: "U2" } }, undefined, joe],
    ["is told by the caller's own serial", { user: { id: "user:1:9" }, serial: "U3" }, undefined, jim],
    ["is told by a login", { serial: "jim@globex" }, undefined, jim],
    ["is not known", { user: "user:1:2" }, undefined, undefined],
    ["is not listed", { serial: "U9" }, "U8", undefined],
  ])("%s", (_what, caller, own, expected) => {
    expect(snapshot(caller, own).callerProfile).toBe(expected);
  });
});

describe("the account that the run acts in", () => {
  test.each<[string, CallerRecord, string | undefined, AccountRecord | undefined]>([
    [
      "is told by its serial, which counts before its name",
      { account: { serial: "A2", name: "acme" } },
      undefined,
      globex,
    ],
    [
      "is told by its name, which counts before the user",
      { account: { name: "globex" } },
      "jane@acme",
      globex,
    ],
    ["is the user's", {}, "jane@acme", acme],
    ["is not listed", { account: { serial: "A9", name: "acme" } }, "jane@acme", undefined],
    ["is not known", { account: "acme" }, undefined, undefined],
  ])("%s", (_what, caller, own, expected) => {
    expect(snapshot(caller, own).callerAccount).toBe(expected);
  });

  test("is not known where the user shows none", () => {
    const without = { id: "user:1:5", login: "eve@acme" };
    expect(snapshot({}, "eve@acme", [without]).callerAccount).toBeUndefined();
  });
});

test("the primary user of an account is the one that the account names, by id or serial; else the one with its name", () => {
  const admin: ProfileRecord = { id: "user:1:8", serial: "U8", login: "acme" };
  const named = (admin_profile_id: string): AccountRecord => ({ ...acme, admin_profile_id });
  expect(isPrimary(jane, named("user:1:1"))).toBe(true);
  expect(isPrimary(jane, named("U1"))).toBe(true);
  expect(isPrimary(admin, named("user:1:1"))).toBe(false);
  expect(isPrimary(admin, acme)).toBe(true);
  expect(isPrimary(jane, acme)).toBe(false);
  expect(isPrimary(admin, undefined)).toBe(false);
  expect(isPrimary({ id: "user:1:9" }, { id: "account:1:9" })).toBe(false);
});
