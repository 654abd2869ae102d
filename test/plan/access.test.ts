import { accessChanges } from "../../src/plan/access";
import { UNKNOWN, type ObjectValue } from "../../src/values";
import { change, type ChangeFacts } from "../support/plans";

const of = (facts: Omit<ChangeFacts, "name">) => accessChanges([change({ name: "acme", ...facts })]);

const rights = (vss: ObjectValue): ObjectValue =>
  Object.fromEntries(Object.entries(vss).map(([name, value]) => [`vss.${name}`, value]));

test("an account that declares no permissions is no news: its primary user has what every such user has", () => {
  expect(of({ kind: "account", after: { name: "acme", permissions: UNKNOWN, access_api: UNKNOWN } })).toEqual(
    [],
  );
});

test("a declared permission of the primary user is", () => {
  expect(
    of({ kind: "account", after: { name: "acme", permissions: rights({ manage_targets: true }) } }),
  ).toMatchObject([{ action: "create", gains: ["vss.manage_targets"], partlyUnknown: false }]);
});

test("a user without declared permissions gains what only the service knows", () => {
  expect(
    of({ kind: "user_profile", after: { username: "jane", permissions: UNKNOWN, access_api: true } }),
  ).toMatchObject([{ gains: ["access.api"], loses: [], partlyUnknown: true }]);
});

test("a right that is not known yet is neither gained nor lost, and said to be open", () => {
  const before = { permissions: rights({ manage_targets: true, remove_vss: false }) };
  const after = { permissions: rights({ manage_targets: UNKNOWN, remove_vss: true }) };
  expect(of({ kind: "user_profile", before, after })).toMatchObject([
    { gains: ["vss.remove_vss"], loses: [], destructive: ["vss.remove_vss"], partlyUnknown: true },
  ]);
});

test("a right over the whole service is destructive, and one that only looks at it is not", () => {
  const permissions = { "realm.manage_accounts": true, "realm.view_logs": true };
  expect(of({ kind: "user_profile", after: { username: "jane", permissions } })).toMatchObject([
    {
      gains: ["realm.manage_accounts", "realm.view_logs"],
      destructive: ["realm.manage_accounts"],
      powerful: ["realm.manage_accounts"],
    },
  ]);
});

test("who is deleted loses all", () => {
  const before = {
    permissions: { "node.manage_storage": true },
    node_scope: ["*"],
    access_web: true,
    access_api: false,
  };
  expect(of({ kind: "user_profile", before })).toMatchObject([
    { action: "delete", gains: [], loses: ["node.manage_storage", "node_scope.*", "access.web"] },
  ]);
});

test("a change that gives and takes no right is not there", () => {
  const permissions = rights({ manage_targets: true });
  expect(
    of({ kind: "user_profile", before: { permissions, level: 1 }, after: { permissions, level: 2 } }),
  ).toEqual([]);
});

test("a token is access when it comes and when it goes, not when it is replaced in place", () => {
  const token = { login: "csi@acme", name: "csi" };
  expect(of({ kind: "authorization", after: token })).toMatchObject([{ gains: ["token"], loses: [] }]);
  expect(of({ kind: "authorization", before: token })).toMatchObject([{ gains: [], loses: ["token"] }]);
  expect(of({ kind: "authorization", before: token, after: { ...token, keepers: { a: "1" } } })).toEqual([]);
});
