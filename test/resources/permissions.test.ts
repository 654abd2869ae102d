/** What rights and scopes become in bodies, states and findings: covers src/resources/permissions.ts and scopes.ts. */
import { worded } from "../../src/problems";
import {
  grantedIn,
  grantedRights,
  restrictionFindings,
  rightsAndScopes,
  rightsFindings,
  shownRights,
  takesRight,
} from "../../src/resources/permissions";
import { shownScope } from "../../src/resources/scopes";
import { isUnchanged, readState } from "../../src/schema";
import { ALL_RIGHTS } from "../../src/service/rights";
import { type ObjectValue, UNKNOWN, type Value } from "../../src/lib/values";

const attributes = rightsAndScopes();
const { permissions, vss_scope: scope } = attributes;

const shows = (vss: ObjectValue, more: ObjectValue = {}): ObjectValue => ({ permissions: { vss, ...more } });
const stateOf = (record: ObjectValue, prior: ObjectValue = {}) =>
  readState(attributes, { self: record }, prior);

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

test("a group or a right may have any name, those of an object's own members too", () => {
  const record = shows({}, { constructor: { rights: { ["__proto__"]: true, toString: true } } });
  const prior = { permissions: {} };
  const body = permissions!.codec!.write(prior, stateOf(record, prior));
  expect(JSON.stringify(body)).toBe(
    '{"permissions":{"constructor":{"rights":{"__proto__":false,"toString":false}}}}',
  );
});

test("a right that the schema does not know is denied like any other", () => {
  const record = shows({ rights: { manage_rules: true } }, { future: { rights: { read_minds: true } } });
  const prior = { permissions: { "vss.manage_rules": true } };
  expect(stateOf(record, prior)["permissions"]).toEqual({
    "vss.manage_rules": true,
    "future.read_minds": true,
  });
  expect(isUnchanged(attributes, prior, { self: record })).toBe(false);
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
});

const keep = { undeclared_rights: "keep" };
const codec = permissions!.codec!;
const rights = (record: ObjectValue) => grantedRights(record);

test("the rights of a record are those that it shows as granted, in the order of the spec, and then unknown ones", () => {
  const record = shows(
    { rights: { remove_vss: true, manage_rules: false, resize_disks: "true", format_disks: true } },
    {
      future: { rights: { read_minds: true } },
      realm: { rights: { view_logs: true } },
      node: "none",
      user: { rights: [true] },
      account: {},
    },
  );
  expect(rights(record)).toEqual([
    "realm.view_logs",
    "vss.remove_vss",
    "vss.format_disks",
    "future.read_minds",
  ]);
  expect(shownRights(record)).toEqual({
    "realm.view_logs": true,
    "vss.remove_vss": true,
    "vss.manage_rules": false,
    "vss.format_disks": true,
    "future.read_minds": true,
  });
  expect([{}, { permissions: null }, undefined].map(grantedRights)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const primary = { permissions: permissions!.ofPrimary() };
  expect(grantedIn(attributes, { self: record })).toHaveLength(4);
  expect(grantedIn(primary, { self: record })).toBeUndefined();
  expect(grantedIn(primary, { self: {}, primary: record })).toHaveLength(4);
  expect(grantedIn({}, { self: record })).toBeUndefined();
});

test("state holds the declared rights as they are live, and the others that are granted unless they are kept", () => {
  const record = shows({ rights: { manage_rules: false, remove_vss: true } });
  const declared = { permissions: { "vss.manage_rules": true, "vss.resize_disks": true } };
  const live = { "vss.manage_rules": false, "vss.resize_disks": false };
  expect(stateOf(record, declared)["permissions"]).toEqual({ ...live, "vss.remove_vss": true });
  expect(stateOf(record, { ...declared, ...keep })["permissions"]).toEqual(live);
  expect(stateOf(record)["permissions"]).toEqual({ "vss.remove_vss": true });
  expect(stateOf({}, declared)["permissions"]).toEqual(declared.permissions);
});

test.each<[string, Value, ObjectValue, boolean]>([
  ["as declared", { "vss.manage_rules": true }, { rights: { manage_rules: true } }, true],
  ["in another order", { "vss.b": true, "vss.a": true }, { rights: { a: true, b: true } }, true],
  ["with denied ones named", { "vss.manage_rules": false }, { rights: { manage_rules: false } }, true],
  ["none, as declared", {}, { rights: {} }, true],
  ["rights in no form that is known", {}, { rights: [true] }, true],
  ["less than is declared", { "vss.manage_rules": true }, { rights: {} }, false],
  ["another right", { "vss.manage_rules": true }, { rights: { remove_vss: true } }, false],
  ["more than is declared", {}, { rights: { manage_rules: true } }, false],
  ["what is denied", { "vss.manage_rules": false }, { rights: { manage_rules: true } }, false],
  ["what is not known yet", { "vss.manage_rules": UNKNOWN }, { rights: { manage_rules: true } }, false],
  ["denied, what is not known yet", { "vss.manage_rules": UNKNOWN }, { rights: {} }, false],
  ["what is not known at all", UNKNOWN, { rights: {} }, false],
])("a record that shows %s fits the declaration or not", (_what, declared, vss, fits) => {
  expect(isUnchanged(attributes, { permissions: declared }, { self: shows(vss, { node: null }) })).toBe(fits);
  expect(isUnchanged(attributes, { permissions: declared }, { self: {} })).toBe(false);
});

test("each right that the service did not take is told, and further ones unless they are kept", () => {
  const record = shows({ rights: { manage_rules: false, remove_vss: true, format_disks: true } });
  const declared = {
    "vss.manage_rules": true,
    "vss.resize_disks": true,
    "vss.backup_disks": false,
    "vss.update_vss": UNKNOWN,
    "vss.format_disks": true,
  };
  const untaken = [
    { path: ["vss.manage_rules"], value: true, shown: false },
    { path: ["vss.resize_disks"], value: true, shown: false },
  ];
  expect(codec.differences!(declared, record, keep)).toEqual(untaken);
  expect(codec.differences!(declared, record, {})).toEqual([
    ...untaken,
    { path: ["vss.remove_vss"], value: false, shown: true },
  ]);
  expect(codec.differences!(declared, {}, {})).toEqual([]);
  expect(codec.differences!(null, record, {})).toEqual([]);
});

describe("a write of rights", () => {
  const rule = { "vss.manage_rules": true };
  const sent = (planned: ObjectValue, prior: ObjectValue | null = null) => {
    const body = codec.write(planned, prior);
    const granted = rights(body) ?? [];
    const groups = Object.entries((body["permissions"] ?? {}) as Record<string, { rights: object }>);
    const named = groups.flatMap(([group, inside]) =>
      Object.keys(inside.rights).map((name) => `${group}.${name}`),
    );
    return { granted, denied: named.filter((right) => !granted.includes(right)) };
  };

  test("names all 49 at a create, or under `keep` those that are declared", () => {
    const made = sent({ permissions: { ...rule, "vss.remove_vss": false, "future.read_minds": true } });
    expect(made.granted).toEqual(["vss.manage_rules", "future.read_minds"]);
    expect(made.denied).toEqual(ALL_RIGHTS.filter((right) => right !== "vss.manage_rules"));
    expect(sent({ permissions: { ...rule, "vss.remove_vss": false }, ...keep })).toEqual({
      granted: ["vss.manage_rules"],
      denied: ["vss.remove_vss"],
    });
    expect(codec.write({ permissions: {}, ...keep }, null)).toEqual({});
  });

  test("names at an update of exact permissions just what changes", () => {
    const prior = { permissions: { ...rule, "vss.remove_vss": true, "future.read_minds": true } };
    expect(sent({ permissions: { ...rule, "vss.resize_disks": true } }, prior)).toEqual({
      granted: ["vss.resize_disks"],
      denied: ["vss.remove_vss", "future.read_minds"],
    });
    expect(
      codec.write({ permissions: { ...rule, "vss.backup_disks": false } }, { permissions: rule }),
    ).toEqual({});
    expect(
      codec.write({ permissions: { ...rule, "vss.update_vss": UNKNOWN } }, { permissions: rule }),
    ).toEqual({});
    expect(sent({ permissions: { "vss.remove_vss": false }, ...keep }, prior)).toEqual({
      granted: [],
      denied: ["vss.remove_vss"],
    });
  });

  test("denies what a prior state does not tell to be denied", () => {
    const planned = { permissions: rule };
    const others = ALL_RIGHTS.filter((right) => right !== "vss.manage_rules");
    expect(sent(planned, { ...planned, ...keep })).toEqual({ granted: [], denied: others });
    expect(sent(planned, { permissions: null })).toEqual({ granted: ["vss.manage_rules"], denied: others });
    expect(codec.write({ permissions: null }, planned)).toEqual({});
    expect(codec.write({}, planned)).toEqual({});
  });

  test("keeps a name together that holds further dots", () => {
    const future = { future: { rights: { "a.b": true } } };
    expect(codec.write({ permissions: { "future.a.b": true } }, {})).toMatchObject({ permissions: future });
  });
});

test.each([
  [["permissions", "vss", "rights", "remove_vss"], ["vss.remove_vss"], undefined],
  [["permissions", "vss", "rights"], [], undefined],
  [["permissions", "vss", "all_account_scope"], undefined, []],
  [["permissions", "vss", "vsses"], undefined, []],
  [["permissions", "vss", "nodes"], undefined, undefined],
  [["permissions", "node", "vsses"], undefined, undefined],
  [["permissions", "vss"], undefined, undefined],
  [["level", "vss", "rights", "remove_vss"], undefined, undefined],
  [["level", "vss", "vsses"], undefined, undefined],
])("what the service says of %j is about these rights, or that scope", (member, right, ofScope) => {
  expect(codec.attributeOf(member)).toEqual(right);
  expect(scope!.codec!.attributeOf(member)).toEqual(ofScope);
});

test("a scope fits in any order, and what a record does not show is no difference", () => {
  const one = scope!.codec!;
  const record = shows({ all_account_scope: false, vsses: ["a", "b", 7] });
  const fits = (ids: Value, self = record) => isUnchanged(attributes, { vss_scope: ids }, { self });
  expect(fits(["b", "a"])).toBe(true);
  for (const other of [["a"], ["a", "c"], ["a", "b", "c"], "a"]) expect(fits(other)).toBe(false);
  expect(fits(["a"], {})).toBe(false);
  expect(fits(UNKNOWN)).toBe(false);
  expect(one.write({}, { vss_scope: ["a"] })).toEqual({});
  for (const prior of [null, { vss_scope: null }])
    expect(one.write({ vss_scope: [] }, prior)).toEqual(shows({ all_account_scope: false, vsses: [] }));
  expect(one.write({ vss_scope: ["a"] }, null)).toEqual(shows({ all_account_scope: false, vsses: ["a"] }));
  expect(shownScope("node", { permissions: { node: "all" } })).toBeUndefined();
  expect(shownScope("node", { permissions: null })).toBeUndefined();
  expect(shownScope("node", { permissions: { node: { all_realm_scope: true } } })).toEqual(["*"]);
});

describe("findings about rights that a configuration does not name", () => {
  const told = (...args: Parameters<typeof rightsFindings> extends [string, ...infer R] ? R : never) =>
    worded(rightsFindings("jane@acme", ...args)).map(({ code, summary, detail }) => [
      code.slice("TENANCY_".length),
      summary,
      detail,
    ]);
  const rule = { permissions: { "vss.manage_rules": true } };

  test("say what somebody gets or has of whom nothing is declared", () => {
    expect(told({}, null, {})).toEqual([
      [
        "UNDECLARED_PERMISSIONS",
        `"jane@acme" gets by the service's default 39 rights that no configuration declares, destructive and privileged ones among them`,
        `"jane@acme" gets by the service's default the rights of the preset \`account_admin\`.`,
      ],
    ]);
    const prior = { permissions: { "account.view_events": true, "vss.remove_vss": false } };
    expect(told({ permissions: null }, prior, {})).toEqual([
      [
        "UNDECLARED_PERMISSIONS",
        "a user has permissions that no configuration declares",
        '"jane@acme" has account.view_events.',
      ],
    ]);
    expect(told({}, { permissions: {} }, {}).flat()).toContain('"jane@acme" has no right.');
    expect(told({}, {}, {}).flat()).toContain('The service does not show the rights of "jane@acme".');
  });

  test.each([
    [["vss.remove_vss"], '"jane@acme" keeps destructive rights that are not declared'],
    [["user.manage_users"], '"jane@acme" keeps privileged rights that are not declared'],
    [
      ["user.manage_users", "vss.remove_vss"],
      '"jane@acme" keeps destructive and privileged rights that are not declared',
    ],
    [["account.view_events"], "rights stay granted without being declared"],
  ])("name those that are kept: %j", (kept, summary) => {
    const planned = { ...rule, ...keep };
    expect(told(rule, {}, planned, ["vss.manage_rules", ...kept])).toEqual([
      ["RIGHTS_KEPT", summary, `"jane@acme" keeps ${kept.join(", ")}.`],
    ]);
  });

  test("name those that become authoritative and take rights away, and no others", () => {
    const held = ["vss.manage_rules", "account.view_events"];
    expect(told(rule, keep, rule, held)).toEqual([
      [
        "RIGHTS_TAKEN",
        "rights that are not declared are taken away",
        '"jane@acme" loses account.view_events.',
      ],
    ]);
    expect(told(rule, {}, rule, held)).toEqual([]);
    expect(told(rule, null, rule)).toEqual([]);
    expect(told(rule, keep, rule, ["vss.manage_rules"])).toEqual([]);
    expect(told({ permissions: UNKNOWN }, keep, { permissions: UNKNOWN }, held)).toEqual([]);
  });
});

test("only what certainly held somebody back, and is not declared, is told to be lost with a replacement", () => {
  const free = {
    activated: true,
    access_web: null,
    access_api: true,
    allow_su: null,
    two_factor_auth: "none",
    vss_scope: ["*"],
    node_scope: null,
    level: 3,
  };
  const lost = (prior: object, config: ObjectValue = {}) =>
    worded(restrictionFindings("jane@acme", config, { ...free, ...prior })).map(({ detail }) => detail);
  expect(lost({})).toEqual([]);
  const level = '"jane@acme" had a level; it is not known which level the new user gets.';
  const held: readonly (readonly [string, Value, RegExp])[] = [
    ["activated", false, /was deactivated; it is not known/],
    ["access_web", false, /had no web access/],
    ["access_api", false, /had no API access/],
    [
      "allow_su",
      false,
      /was closed to administrators .*; it is not known whether the new user is open to them/,
    ],
    ["two_factor_auth", "google", /logged in with two factors/],
    ["vss_scope", ["v1"], /scope of virtual storage services/],
    ["node_scope", [], /scope of nodes/],
  ];
  for (const [name, value, words] of held) {
    const [detail = "", ...others] = lost({ [name]: value });
    expect(others).toEqual([]);
    expect(detail).toMatch(words);
    expect(detail.split(/(?<=\.) /)).toContain(level);
    expect(lost({ [name]: value }, { [name]: value })).toEqual([]);
  }
  expect(lost({ level: null, activated: false })).toEqual([expect.not.stringContaining("level")]);
  expect(lost({ two_factor_auth: null })).toEqual([]);
});

test.each<[string, ObjectValue, ObjectValue, boolean]>([
  ["stays granted", { permissions: { r: true } }, { permissions: { r: true } }, false],
  ["is denied by name", { permissions: { r: true } }, { permissions: { r: false } }, true],
  ["is denied by being left out", { permissions: { r: true } }, { permissions: {} }, true],
  ["is left out and kept", { permissions: { r: true } }, { permissions: {}, ...keep }, false],
  [
    "is denied by name under `keep`",
    { ...keep, permissions: {} },
    { permissions: { r: false }, ...keep },
    true,
  ],
  ["was not granted", { permissions: {} }, { permissions: {} }, false],
  ["was denied", { permissions: { r: false }, ...keep }, { permissions: {} }, false],
  ["may have been granted under `keep`", { permissions: {}, ...keep }, { permissions: {} }, true],
  ["may have been granted unseen", {}, { permissions: {} }, true],
  ["is no longer declared", { permissions: { r: true } }, {}, false],
  ["is not known yet", { permissions: { r: true } }, { permissions: { r: UNKNOWN } }, true],
  ["is of permissions that are not known yet", { permissions: { r: true } }, { permissions: UNKNOWN }, true],
])("a right that %s is taken away or not", (_what, before, after, taken) => {
  expect(takesRight("r", before, after)).toBe(taken);
});
