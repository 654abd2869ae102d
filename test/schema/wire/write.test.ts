import { account } from "../../../src/resources/account/description";
import { userProfile } from "../../../src/resources/user-profile/description";
import { attributeOfMember, createBody, changesBetween, propose, updateBody } from "../../../src/schema";
import type { ObjectValue } from "../../../src/lib/values";

const accounts = account.attributes;
const profiles = userProfile.attributes;

const bodyOf = (config: ObjectValue) => createBody(accounts, propose(accounts, config, null), config);

test("a create carries what is declared, in the written shape", () => {
  const config = {
    name: "globex",
    primary_contact: { phone: "555", address: { addr: ["Main St 1"], country: "BE" } },
    password_wo: "correct horse",
    password_wo_version: 1,
    template: "gold",
    host: "storage.example",
    deletion_protection: false,
    level: 2,
  };
  expect(bodyOf(config)).toEqual({
    name: "globex",
    primary_contact: { phone: "555", address: { addr: ["Main St 1"], country: "BE" } },
    password: "correct horse",
    template: "gold",
    level: 2,
  });
});

test("members of an object of the API are sent together, and only those that are declared", () => {
  const config = {
    name: "a",
    limits_vss_num: 1,
    provisioning_tags_include: [],
    provisioning_tags_permit: ["a"],
  };
  expect(bodyOf(config)).toEqual({
    name: "a",
    limits: { vss_num: 1 },
    provisioning: { tags_include: [], tags_permit: ["a"] },
  });
});

test("declared permissions deny all rights that are not named, and leave scopes to the service", () => {
  const { permissions } = bodyOf({ name: "a", permissions: {} });
  const groups = Object.values(permissions as ObjectValue) as readonly ObjectValue[];
  const rights = groups.flatMap((group) => Object.values(group["rights"] as ObjectValue));
  expect(rights).toHaveLength(49);
  expect(new Set(rights)).toEqual(new Set([false]));
  expect(groups.flatMap((group) => Object.keys(group))).toEqual(Array(5).fill("rights"));
});

test("only the rights that are named are sent where the others are kept", () => {
  const config = {
    username: "a",
    undeclared_rights: "keep",
    permissions: { "vss.manage_rules": true },
  };
  const planned = propose(profiles, config, null);
  expect(createBody(profiles, planned, config)).toEqual({
    username: "a",
    permissions: { vss: { rights: { manage_rules: true } } },
  });
});

test("scopes are sent with their flags, beside the rights", () => {
  const config = {
    username: "a",
    undeclared_rights: "keep",
    permissions: { "vss.manage_rules": true },
    vss_scope: ["vss:1:1"],
    node_scope: ["*"],
  };
  expect(createBody(profiles, propose(profiles, config, null), config)["permissions"]).toEqual({
    vss: { rights: { manage_rules: true }, all_account_scope: false, vsses: ["vss:1:1"] },
    node: { all_realm_scope: true, nodes: [] },
  });
});

function patchOf(prior: ObjectValue, config: ObjectValue, of: "self" | "primary" = "self"): ObjectValue {
  const planned = propose(accounts, config, prior);
  const changes = changesBetween(accounts, prior, planned);
  return updateBody(accounts, { prior, planned, changes, config, secrets: [] }, of);
}

test("a PATCH carries the changed members, each for the record that has it, and nested objects as a whole", () => {
  const prior = { name: "a", limits_vss_num: 1, limits_size_reserve_total: 5, level: 1, activated: true };
  const config = { name: "a", limits_vss_num: 2, limits_size_reserve_total: 5, level: 2 };
  expect(patchOf(prior, config)).toEqual({ limits: { vss_num: 2, size_reserve_total: 5 } });
  expect(patchOf(prior, config, "primary")).toEqual({ level: 2 });
});

test("what only goes along is not sent alone", () => {
  const prior = { name: "a", level: 1, limits_vss_num: 1, limits_size_reserve_total: null };
  expect(patchOf(prior, { name: "a", host: "storage.example" })).toEqual({});
  expect(patchOf(prior, { name: "a", host: "storage.example", limits_vss_num: 2 })).toEqual({
    limits: { vss_num: 2 },
    host: "storage.example",
  });
});

test.each<[string, readonly string[], readonly (string | number)[]]>([
  ["a member of the same name", ["name"], ["name"]],
  ["a member of an object", ["limits", "vss_num"], ["limits_vss_num"]],
  ["a member of a contact", ["billing_contact", "company"], ["billing_contact", "company"]],
  ["a right", ["permissions", "vss", "rights", "manage_rules"], ["permissions", "vss.manage_rules"]],
  ["a scope", ["permissions", "vss", "vsses", "0"], ["vss_scope"]],
  ["the flag of a scope", ["permissions", "node", "all_realm_scope"], ["node_scope"]],
  ["a secret", ["password"], ["password_wo"]],
  [
    "an element of a list",
    ["primary_contact", "address", "addr", "0"],
    ["primary_contact", "address", "addr", 0],
  ],
  ["an element of a set", ["provisioning", "tags_include", "1"], ["provisioning_tags_include"]],
  ["the read shape of a number", ["primary_contact", "phone", "number"], ["primary_contact", "phone"]],
  ["a member that the group lacks", ["primary_contact", "colour"], ["primary_contact"]],
])("the service's complaint about %s is told at the attribute", (_what, member, attribute) => {
  expect(attributeOfMember(accounts, member)).toEqual(attribute);
});

test("a complaint about what is no attribute is told at the object", () => {
  expect(attributeOfMember(accounts, ["colour"])).toBeUndefined();
  expect(attributeOfMember(profiles, ["two_factor", "secret"])).toEqual(["two_factor_secret_wo"]);
  expect(attributeOfMember(accounts, ["limits", "colour"])).toBeUndefined();
});
