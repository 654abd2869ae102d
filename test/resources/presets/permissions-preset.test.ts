import { UnknownAttribute } from "../../../src/errors";
import { permissionsPreset, PRESET_NAMES, PRESETS } from "../../../src/resources/presets";
import { ALL_RIGHTS, RIGHT_GROUPS, RIGHTS } from "../../../src/resources/rights";
import { isObject, Unknown, type ObjectValue, type Value } from "../../../src/values";

function granted(permissions: ObjectValue): readonly string[] {
  return RIGHT_GROUPS.flatMap((group) =>
    RIGHTS[group]
      .filter((right) => at(permissions, group, "rights", right) === true)
      .map((right) => `${group}.${right}`),
  );
}

function at(value: Value, ...path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>((here, step) => (isObject(here) ? here[step] : undefined), value);
}

test.each(PRESET_NAMES)("the preset %s decides on all 49 rights and on both scopes", (name) => {
  const permissions = permissionsPreset(name);
  const rights = RIGHT_GROUPS.flatMap((group) =>
    Object.values(at(permissions, group, "rights") as ObjectValue),
  );
  expect(rights).toHaveLength(49);
  expect(rights.every((right) => typeof right === "boolean")).toBe(true);
  expect(at(permissions, "node", "all_realm_scope")).toBe(true);
  expect(at(permissions, "vss", "all_account_scope")).toBe(true);
  expect(granted(permissions)).toEqual(ALL_RIGHTS.filter((right) => PRESETS[name].includes(right)));
});

test("no preset reaches beyond the account", () => {
  for (const name of PRESET_NAMES) {
    expect(PRESETS[name].filter((right) => /^(realm|node)\./.test(right))).toEqual([]);
  }
});

test("only an account's administrator may remove what holds data", () => {
  const destructive = ["vss.remove_vss", "vss.remove_locked_disks", "account.delete_object_storage"];
  for (const name of PRESET_NAMES) {
    const may = destructive.filter((right) => granted(permissionsPreset(name)).includes(right));
    expect(may).toEqual(name === "account_admin" ? destructive : []);
  }
});

test("an override changes just the rights that it names", () => {
  const permissions = permissionsPreset("observer", { vss: { rights: { manage_snapshots: true } } });
  expect(granted(permissions)).toEqual(
    ["vss.manage_snapshots", ...granted(permissionsPreset("observer"))].sort(order),
  );
});

test("a later override wins over an earlier one, and null changes nothing", () => {
  const permissions = permissionsPreset(
    "observer",
    { account: { rights: { view_events: false } } },
    { account: { rights: { view_events: true, query_catalog: null } }, user: null },
    null,
  );
  expect(granted(permissions)).toEqual(granted(permissionsPreset("observer")));
});

test("an override narrows a scope", () => {
  const permissions = permissionsPreset("operator", {
    vss: { all_account_scope: false, vsses: ["vss:1:1"] },
  });
  expect(permissions["vss"]).toMatchObject({ all_account_scope: false, vsses: ["vss:1:1"] });
});

test("what is not known yet is passed on", () => {
  const unknown = permissionsPreset("observer", {
    vss: { vsses: [new Unknown()], rights: { update_vss: new Unknown() } },
  });
  expect(at(unknown, "vss", "rights", "update_vss")).toBeInstanceOf(Unknown);
});

test("a misspelt preset or right is refused, with what was probably meant", () => {
  expect(refusal("operater")).toMatchObject({
    advice: 'Did you mean "operator"?',
    where: { attribute: [0] },
  });
  expect(refusal("operator", {}, { vss: { rights: { manage_snapshot: true } } })).toMatchObject({
    advice: 'Did you mean "manage_snapshots"?',
    where: { attribute: [2, "vss", "rights", "manage_snapshot"] },
  });
});

function refusal(...call: Parameters<typeof permissionsPreset>): unknown {
  try {
    return permissionsPreset(...call);
  } catch (error) {
    return error;
  }
}

test("names that every object inherits are no presets and no rights", () => {
  expect(() => permissionsPreset("constructor")).toThrow("no preset");
  expect(() => permissionsPreset("observer", JSON.parse('{"__proto__": {"x": true}}') as Value)).toThrow(
    UnknownAttribute,
  );
});

test("a right must be true or false, a scope's list a list of strings", () => {
  expect(() => permissionsPreset("observer", { vss: { rights: { update_vss: 1 } } })).toThrow(
    "true or false",
  );
  expect(() => permissionsPreset("observer", { vss: { vsses: "vss:1:1" } })).toThrow("list of strings");
  expect(() => permissionsPreset("observer", "vss.update_vss")).toThrow("override 1 must be an object");
});

function order(a: string, b: string): number {
  return (
    ALL_RIGHTS.indexOf(a as (typeof ALL_RIGHTS)[number]) -
    ALL_RIGHTS.indexOf(b as (typeof ALL_RIGHTS)[number])
  );
}
