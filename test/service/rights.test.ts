/** What a right means, and which rights the caller has: covers src/service/rights.ts. */
import type { Value } from "../../src/lib/values";
import {
  ALL_RIGHTS,
  callerMay,
  DEFAULT_RIGHTS,
  DESTRUCTIVE_RIGHTS,
  explainRight,
  isKnownRight,
  PRIVILEGED_RIGHTS,
  Snapshot,
  successorsOf,
} from "../../src/service";

test("a right is explained: what it allows, what follows, how dangerous it is, and what took its place", () => {
  expect(explainRight("realm.can_switch_user")).toBe(
    "Act as any user of a lower level. The holder has all permissions of those users, in every account, and the actions are recorded as theirs. (privileged)",
  );
  expect(explainRight("realm.manage_accounts")).toMatch(/given rights\. \(destructive, privileged\)$/);
  expect(explainRight("realm.manage_node_membership")).toMatch(/lost to the service\. \(destructive\)$/);
  expect(explainRight("vss.backup_disks")).toBe(
    "Back disks up to object stores. A backup is a readable copy of the data elsewhere.",
  );
  expect(explainRight("vss.replicate_and_synchronize_disks")).toBe(
    "Replicate disks and synchronize them with their replicas. Deprecated by the API, in favour of vss.replicate_disks and vss.synchronize_disks.",
  );
  expect(explainRight("vss.fly")).toBe("");
});

test("rights that destroy, or that take over others, are among those that are marked; harmless ones are not", () => {
  expect([...DESTRUCTIVE_RIGHTS]).toEqual(
    expect.arrayContaining(["realm.manage_accounts", "vss.remove_vss"]),
  );
  expect([...PRIVILEGED_RIGHTS]).toEqual(
    expect.arrayContaining(["realm.manage_accounts", "realm.can_switch_user"]),
  );
  for (const harmless of ["vss.backup_disks", "realm.view_logs"])
    expect([DESTRUCTIVE_RIGHTS.has(harmless), PRIVILEGED_RIGHTS.has(harmless)]).toEqual([false, false]);
  expect(PRIVILEGED_RIGHTS.has("vss.remove_vss")).toBe(false);
  expect(DESTRUCTIVE_RIGHTS.has("realm.can_switch_user")).toBe(false);
});

test("a user made without rights gets those of three groups, and none over the service or its replicas", () => {
  expect(ALL_RIGHTS).toHaveLength(49);
  expect(new Set(DEFAULT_RIGHTS.map((right) => right.split(".")[0]))).toEqual(
    new Set(["vss", "user", "account"]),
  );
  expect(DEFAULT_RIGHTS).toHaveLength(39);
});

test("only rights of the spec are known, and only those that it deprecates have successors", () => {
  expect([isKnownRight("vss.backup_disks"), isKnownRight("vss.fly"), isKnownRight("backup_disks")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(successorsOf("vss.replicate_and_synchronize_disks")).toEqual([
    "vss.replicate_disks",
    "vss.synchronize_disks",
  ]);
  expect(successorsOf("vss.backup_disks")).toBeUndefined();
});

describe("the caller may do something", () => {
  const profile = (permissions: Value) => ({
    id: "user:1:1",
    login: "ops",
    permissions,
  });
  const rights = (value: unknown) => ({ user: { rights: { manage_users: value } } }) as never;

  test.each<[string, Value, Value, boolean | undefined]>([
    ["as the service says of the caller, whatever the list says", rights(false), rights(true), false],
    ["as the list says, where the service says nothing", null, rights(true), true],
    ["as the list says, where the service says nothing of this right", rights("yes"), rights(false), false],
    ["as the list says, where the service shows other groups", { vss: {} }, rights(true), true],
    ["as the list says, where the service shows a group without rights", { user: {} }, rights(true), true],
    ["which is not known where neither says so", { user: null }, "none", undefined],
  ])("%s", (_what, ofCaller, ofProfile, expected) => {
    const snapshot = new Snapshot({
      accounts: [],
      profiles: [profile(ofProfile)],
      caller: { permissions: ofCaller },
      callerProfile: "ops",
    });
    expect(callerMay(snapshot, "user.manage_users")).toBe(expected);
  });
});
