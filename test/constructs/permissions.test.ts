import { Permissions, type Right } from "cdktf-provider-tenancy";
import { ScopeConflict, UndeclaredName } from "../../src/errors";
import { permissionsPreset, PRESET_NAMES } from "../../src/resources/presets";
import { ALL_RIGHTS, RIGHT_GROUPS, RIGHTS } from "../../src/resources/rights";

test("nobody may do anything unless it is allowed", () => {
  expect(Permissions.none().rights).toEqual([]);
});

test("allowing and denying changes just the rights that are named", () => {
  const permissions = Permissions.none()
    .allow("vss.manage_snapshots", "vss.backup_disks", "account.view_events")
    .deny("vss.backup_disks");
  expect(permissions.rights).toEqual(["vss.manage_snapshots", "account.view_events"]);
});

test("the last word counts: a denied right can be allowed again", () => {
  expect(Permissions.observer().deny("account.view_events").allow("account.view_events").rights).toEqual(
    Permissions.observer().rights,
  );
});

test("permissions never change once they are made", () => {
  const operator = Permissions.operator();
  const before = operator.rights;
  operator.allow("vss.remove_vss");
  operator.deny("vss.manage_snapshots");
  operator.union(Permissions.accountAdmin());
  operator.scopedTo({ vsses: ["vss:1:1"] });
  expect(operator.rights).toEqual(before);
  expect(operator.toAttribute().vss).toMatchObject({ allAccountScope: true });
});

test("a list of ids can be changed afterwards without changing the permissions", () => {
  const ids = ["vss:1:1"];
  const scoped = Permissions.operator().scopedTo({ vsses: ids });
  ids.push("vss:1:2");
  expect(scoped.toAttribute().vss?.vsses).toEqual(["vss:1:1"]);
});

test.each(PRESET_NAMES)("the preset %s is the provider function's", (name) => {
  const preset = Permissions.preset(name);
  const fromFunction = permissionsPreset(name);
  for (const group of RIGHT_GROUPS) {
    const { rights } = fromFunction[group] as { rights: Record<string, boolean> };
    for (const right of RIGHTS[group]) {
      expect(preset.allows(`${group}.${right}` as Right)).toBe(rights[right]);
    }
  }
});

test("every right is written, granted or not, and both scopes", () => {
  const attribute = Permissions.none().toAttribute();
  const groups = [attribute.realm, attribute.nodeAttribute, attribute.vss, attribute.user, attribute.account];
  const flags = groups.flatMap((group) => Object.values(group?.rights ?? {}) as unknown[]);
  expect(flags).toHaveLength(ALL_RIGHTS.length);
  expect(flags.every((flag) => flag === false)).toBe(true);
  expect(attribute.vss?.allAccountScope).toBe(true);
  expect(attribute.nodeAttribute?.allRealmScope).toBe(true);
});

test("a scope limits the rights to what it lists, and can be taken back", () => {
  const scoped = Permissions.operator().scopedTo({ vsses: ["vss:1:1"], nodes: [] });
  expect(scoped.toAttribute().vss).toMatchObject({ allAccountScope: false, vsses: ["vss:1:1"] });
  expect(scoped.toAttribute().nodeAttribute).toMatchObject({ allRealmScope: false, nodes: [] });
  const widened = scoped.scopedTo({ vsses: "all" }).toAttribute();
  expect(widened.vss?.allAccountScope).toBe(true);
  expect(widened.vss).not.toHaveProperty("vsses");
  expect(widened.nodeAttribute?.allRealmScope).toBe(false);
});

test("a union has the rights of both", () => {
  const both = Permissions.keyManager().union(Permissions.none().allow("vss.manage_snapshots"));
  expect(both.rights).toEqual(
    ALL_RIGHTS.filter((right) => right === "vss.manage_snapshots" || Permissions.keyManager().allows(right)),
  );
});

test("a union keeps the scope of the only side that has rights there", () => {
  const scoped = Permissions.none()
    .allow("vss.manage_snapshots")
    .scopedTo({ vsses: ["vss:1:1"] });
  const united = Permissions.none().allow("account.view_events").union(scoped);
  expect(united.toAttribute().vss).toMatchObject({ allAccountScope: false, vsses: ["vss:1:1"] });
  expect(scoped.union(Permissions.observer()).toAttribute().vss?.vsses).toEqual(["vss:1:1"]);
});

test("a union never widens the scope of rights: it is refused", () => {
  const one = Permissions.operator().scopedTo({ vsses: ["vss:1:1"] });
  expect(() => one.union(Permissions.none().allow("vss.remove_vss"))).toThrow(ScopeConflict);
  expect(() => one.union(Permissions.operator().scopedTo({ vsses: ["vss:1:2"] }))).toThrow(ScopeConflict);
  expect(one.union(Permissions.operator().scopedTo({ vsses: ["vss:1:1"] })).rights).toEqual(one.rights);
});

test("a right or preset that is misspelt at run time is refused, with what was probably meant", () => {
  expect(() => Permissions.none().allow("vss.manage_snapshot" as Right)).toThrow(UndeclaredName);
  expect(() => Permissions.none().deny("constructor" as Right)).toThrow(UndeclaredName);
  expect(() => Permissions.preset("toString" as "observer")).toThrow(UndeclaredName);
});
