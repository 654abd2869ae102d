/** Presets and the rights that they stand for: covers src/service/rights.ts, besides its own source. */
import { unknownRight } from "../../src/problems";
import { permissionsPreset } from "../../src/resources";
import { exactPreset, nearestPreset, PRESET_NAMES, PRESETS } from "../../src/resources/presets";
import { ALL_RIGHTS, explainRight } from "../../src/service/rights";
import { Unknown, type ObjectValue, type Value } from "../../src/lib/values";
import { thrown } from "../support/thrown";

const granted = (permissions: ObjectValue) =>
  Object.keys(permissions).filter((right) => permissions[right] === true);

test.each(PRESET_NAMES)("the preset %s names just the rights that it grants", (name) => {
  const permissions = permissionsPreset(name);
  expect(Object.keys(permissions)).toEqual([...PRESETS[name]]);
  expect(granted(permissions)).toEqual([...PRESETS[name]]);
  expect(ALL_RIGHTS).toEqual(expect.arrayContaining(granted(permissions)));
});

test("the preset none is to begin with when rights are named one by one", () => {
  expect(permissionsPreset("none")).toEqual({});
  expect(permissionsPreset("none", { "vss.manage_rules": true })).toEqual({ "vss.manage_rules": true });
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
  expect(permissionsPreset("observer", { "vss.manage_snapshots": true })).toEqual({
    ...permissionsPreset("observer"),
    "vss.manage_snapshots": true,
  });
});

test("an override stands as it is written, also where it denies", () => {
  const permissions = permissionsPreset("observer", {
    "account.view_events": false,
    "vss.remove_vss": false,
  });
  expect(permissions).toMatchObject({ "account.view_events": false, "vss.remove_vss": false });
});

test("a later override wins over an earlier one, and null changes nothing", () => {
  const permissions = permissionsPreset(
    "observer",
    { "account.view_events": false },
    { "account.view_events": true, "account.query_catalog": null },
    null,
  );
  expect(permissions).toEqual(permissionsPreset("observer"));
});

test("true and false may be written as text, as Terraform converts it", () => {
  expect(permissionsPreset("none", { "vss.update_vss": "true", "vss.remove_vss": "false" })).toEqual({
    "vss.update_vss": true,
    "vss.remove_vss": false,
  });
  expect(permissionsPreset("none", { "vss.update_vss": "1", "vss.remove_vss": "0" })).toEqual({
    "vss.update_vss": true,
    "vss.remove_vss": false,
  });
});

test("what is not known yet is passed on", () => {
  expect(permissionsPreset("observer", { "vss.update_vss": new Unknown() })["vss.update_vss"]).toBeInstanceOf(
    Unknown,
  );
});

test("a misspelt preset or right is refused, with what was probably meant", () => {
  expect(refusal("operater")).toMatchObject({
    advice: 'Did you mean "operator"?',
    where: { attribute: [0] },
  });
  expect(refusal("operator", {}, { "vss.manage_snapshot": true })).toMatchObject({
    advice: `Did you mean "vss.manage_snapshots"? ${explainRight("vss.manage_snapshots")}`,
    where: { attribute: [2, "vss.manage_snapshot"] },
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
  expect(() => permissionsPreset("observer", JSON.parse('{"__proto__": true}') as Value)).toThrow(
    thrown(unknownRight),
  );
});

test("an override is a map, and a right is true or false", () => {
  expect(() => permissionsPreset("observer", { "vss.update_vss": 1 })).toThrow("true or false");
  expect(refusal("observer", "vss.update_vss")).toMatchObject({
    message: expect.stringContaining("override 1 must be a map of rights") as string,
    where: { attribute: [1] },
  });
});

test.each(PRESET_NAMES)("the rights of the preset %s come to just this preset", (name) => {
  expect(nearestPreset(PRESETS[name])).toEqual({ preset: name, more: [], fewer: [] });
  expect(exactPreset(new Set(PRESETS[name]))).toBe(name);
});

test("a set of rights is nearest to the preset that differs in the fewest, and the difference is told both ways", () => {
  const [first, ...rest] = PRESETS.operator;
  const rights = ["vss.format_disks", ...rest];
  expect(nearestPreset(rights)).toEqual({ preset: "operator", more: ["vss.format_disks"], fewer: [first] });
  expect(exactPreset(rights)).toBeUndefined();
});

test("of two presets that are as near, the first is taken", () => {
  const between = [...PRESETS.observer, "vss.manage_disk_cryptography", "realm.unknown"];
  expect(nearestPreset(between, ["observer", "key_manager"]).preset).toBe("observer");
  const further = PRESETS.provisioner.filter(
    (right) => !(PRESETS.operator as readonly string[]).includes(right),
  );
  const halfway = [...PRESETS.operator, ...further.slice(0, further.length / 2)];
  expect(nearestPreset(halfway, ["operator", "provisioner"]).preset).toBe("operator");
  expect(nearestPreset(halfway, ["provisioner", "operator"]).preset).toBe("provisioner");
  expect(nearestPreset(["realm.unknown"])).toEqual({ preset: "none", more: ["realm.unknown"], fewer: [] });
});

test("only the presets that are asked about are compared", () => {
  const { preset, fewer } = nearestPreset(PRESETS.operator, ["none", "observer"]);
  expect(preset).toBe("observer");
  expect(fewer).toEqual([]);
});

describe("a deprecated right beside those that took its place", () => {
  const deprecated = "vss.replicate_and_synchronize_disks";
  const without = (right: string) => PRESETS.account_admin.filter((one) => one !== right);

  test("makes no difference to a preset", () => {
    expect(nearestPreset([...PRESETS.operator, deprecated])).toEqual({
      preset: "operator",
      more: [],
      fewer: [],
    });
    expect(exactPreset(without(deprecated))).toBe("account_admin");
  });

  test("counts as soon as one of them is missing", () => {
    const rights = without("vss.synchronize_disks").filter((one) => one !== deprecated);
    expect(nearestPreset(rights)).toEqual({
      preset: "account_admin",
      more: [],
      fewer: ["vss.synchronize_disks", deprecated],
    });
  });
});
