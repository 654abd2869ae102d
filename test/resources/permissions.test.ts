import { rightsAndScopes } from "../../src/resources/permissions";
import { readState } from "../../src/schema";
import type { ObjectValue } from "../../src/values";

const attributes = rightsAndScopes();
const { permissions, vss_scope: scope } = attributes;

const shows = (vss: ObjectValue, more: ObjectValue = {}): ObjectValue => ({ permissions: { vss, ...more } });
const stateOf = (record: ObjectValue, prior: ObjectValue = {}) =>
  readState(attributes, { self: record }, prior);

test("rights in another order are the same rights", () => {
  const record = shows(
    { rights: { remove_vss: true, manage_rules: true } },
    { account: { rights: { view_events: true } } },
  );
  const declared = { "account.view_events": true, "vss.manage_rules": true, "vss.remove_vss": true };
  expect(permissions!.codec!.fits(declared, record, {})).toBe(true);
  expect(permissions!.codec!.differences(declared, record, {})).toEqual([]);
});

test("more rights than are declared are in the state, and are denied", () => {
  const record = shows({ rights: { manage_rules: true, remove_vss: true, resize_disks: false } });
  const prior = { permissions: { "vss.manage_rules": true } };
  expect(stateOf(record, prior)["permissions"]).toEqual({ "vss.manage_rules": true, "vss.remove_vss": true });
  expect(permissions!.codec!.write(prior, stateOf(record, prior))).toEqual(
    shows({ rights: { remove_vss: false } }),
  );
  const kept = { ...prior, undeclared_rights: "keep" };
  expect(stateOf(record, kept)["permissions"]).toEqual({ "vss.manage_rules": true });
  expect(permissions!.codec!.write(kept, { ...stateOf(record, kept), undeclared_rights: "keep" })).toEqual(
    {},
  );
});

test("a right that the schema does not know is denied like any other", () => {
  const record = shows({ rights: { manage_rules: true } }, { future: { rights: { read_minds: true } } });
  const prior = { permissions: { "vss.manage_rules": true } };
  expect(stateOf(record, prior)["permissions"]).toEqual({
    "vss.manage_rules": true,
    "future.read_minds": true,
  });
  expect(permissions!.codec!.fits(prior.permissions, record, {})).toBe(false);
  expect(permissions!.codec!.write(prior, stateOf(record, prior))).toEqual({
    permissions: { future: { rights: { read_minds: false } } },
  });
});

test.each<[string, ObjectValue, readonly string[] | null]>([
  ["the flag true with a list", { all_account_scope: true, vsses: ["a"] }, ["*"]],
  ["the flag false with a list", { all_account_scope: false, vsses: ["a"] }, ["a"]],
  ["the flag false without a list", { all_account_scope: false }, []],
  ["a list without its flag", { vsses: ["a"] }, ["a"]],
  ["an empty list without its flag", { vsses: [] }, ["prior"]],
  ["neither", {}, ["prior"]],
])("a scope that shows %s is read", (_what, vss, expected) => {
  expect(stateOf(shows(vss), { vss_scope: ["prior"] })["vss_scope"]).toEqual(expected);
});

test("a write of a scope carries flag and list", () => {
  expect(scope!.codec!.write({ vss_scope: ["*"] }, { vss_scope: ["a"] })).toEqual(
    shows({ all_account_scope: true, vsses: [] }),
  );
  expect(scope!.codec!.write({ vss_scope: ["b", "a"] }, { vss_scope: ["*"] })).toEqual(
    shows({ all_account_scope: false, vsses: ["b", "a"] }),
  );
  expect(scope!.codec!.write({ vss_scope: ["b", "a"] }, { vss_scope: ["a", "b"] })).toEqual({});
});
