import { Permissions, type Right } from "tenancy";
import { invalidValue, undeclaredName } from "../../src/problems";
import { permissionsPreset } from "../../src/resources";
import { PRESET_NAMES } from "../../src/resources/presets";
import { ALL_RIGHTS } from "../../src/service/rights";
import { thrown } from "../support/thrown";

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
  expect(operator.toAttributes().vssScope).toEqual(["*"]);
});

test("a list of ids can be changed afterwards without changing the permissions", () => {
  const ids = ["vss:1:1"];
  const scoped = Permissions.operator().scopedTo({ vsses: ids });
  ids.push("vss:1:2");
  expect(scoped.toAttributes().vssScope).toEqual(["vss:1:1"]);
});

test.each(PRESET_NAMES)("the preset %s is the provider function's", (name) => {
  expect(Permissions.preset(name).toAttributes().permissions).toEqual(permissionsPreset(name));
});

test("the rights that are granted are written, and both scopes", () => {
  expect(Permissions.none().allow("vss.manage_rules").toAttributes()).toEqual({
    permissions: { "vss.manage_rules": true },
    vssScope: ["*"],
    nodeScope: ["*"],
  });
});

describe("rights that end", () => {
  const temporary = Permissions.none()
    .allow("vss.manage_rules")
    .until("2026-12-04", (p) => p.allow("vss.format_disks"));

  test("are granted, and written with their last days", () => {
    expect(temporary.rights).toEqual(["vss.manage_rules", "vss.format_disks"]);
    expect(temporary.allows("vss.format_disks")).toBe(true);
    expect(temporary.lastDays).toEqual({ "vss.format_disks": "2026-12-04" });
    expect(temporary.toAttributes()).toMatchObject({
      permissions: { "vss.manage_rules": true },
      permissionsUntil: { "vss.format_disks": "2026-12-04" },
    });
  });

  test("lose their end where they are allowed without one, and go where they are denied", () => {
    expect(temporary.allow("vss.format_disks").lastDays).toEqual({});
    expect(temporary.deny("vss.format_disks").rights).toEqual(["vss.manage_rules"]);
  });

  test("are refused where the set holds them without an end, or with another one", () => {
    const disks = (day: string) => () => temporary.until(day, (p) => p.allow("vss.format_disks"));
    expect(() => temporary.until("2026-12-04", (p) => p.allow("vss.manage_rules"))).toThrow(
      'the set holds "vss.manage_rules" already, without an end',
    );
    expect(disks("2026-12-31")).toThrow('the set holds "vss.format_disks" already, with another end');
    expect(disks("2026-12-04")().lastDays).toEqual(temporary.lastDays);
  });

  test.each(["tomorrow", "2026-12-4", ""])("take a day, and not %j", (day) => {
    expect(() => temporary.until(day, (p) => p)).toThrow(thrown(invalidValue));
  });

  test("take no scope", () => {
    const scoped = () => temporary.until("2026-12-04", (p) => p.scopedTo({ vsses: ["vss:1:1"] }));
    expect(scoped).toThrow("until() takes rights without a scope");
  });

  test("end on the later day in a union, and not at all where one side has no end", () => {
    const longer = Permissions.none().until("2026-12-31", (p) => p.allow("vss.format_disks"));
    expect(temporary.union(longer).lastDays).toEqual({ "vss.format_disks": "2026-12-31" });
    expect(longer.union(temporary).lastDays).toEqual({ "vss.format_disks": "2026-12-31" });
    expect(temporary.union(Permissions.none().allow("vss.format_disks")).lastDays).toEqual({});
    expect(temporary.union(Permissions.operator()).lastDays).toEqual({ "vss.format_disks": "2026-12-04" });
  });
});

test("where undeclared rights are kept, those that were denied by name are written too", () => {
  const permissions = Permissions.none().allow("vss.manage_rules", "vss.remove_vss").deny("vss.remove_vss");
  expect(permissions.toAttributes("keep").permissions).toEqual({
    "vss.manage_rules": true,
    "vss.remove_vss": false,
  });
  expect(permissions.allow("vss.remove_vss").toAttributes("keep").permissions).toEqual({
    "vss.manage_rules": true,
    "vss.remove_vss": true,
  });
  const united = permissions.union(Permissions.none().allow("vss.remove_vss"));
  expect(united.toAttributes("keep").permissions).toMatchObject({ "vss.remove_vss": true });
});

test("a scope limits the rights to what it lists, and can be taken back", () => {
  const scoped = Permissions.operator().scopedTo({ vsses: ["vss:1:1"], nodes: [] });
  expect(scoped.toAttributes()).toMatchObject({ vssScope: ["vss:1:1"], nodeScope: [] });
  expect(scoped.scopedTo({ vsses: "all" }).toAttributes()).toMatchObject({ vssScope: ["*"], nodeScope: [] });
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
  expect(united.toAttributes().vssScope).toEqual(["vss:1:1"]);
  expect(scoped.union(Permissions.observer()).toAttributes().vssScope).toEqual(["vss:1:1"]);
});

test("a union never widens the scope of rights: it is refused", () => {
  const one = Permissions.operator().scopedTo({ vsses: ["vss:1:1"] });
  expect(() => one.union(Permissions.none().allow("vss.remove_vss"))).toThrow(thrown(invalidValue));
  expect(() => one.union(Permissions.operator().scopedTo({ vsses: ["vss:1:2"] }))).toThrow(
    thrown(invalidValue),
  );
  expect(one.union(Permissions.operator().scopedTo({ vsses: ["vss:1:1"] })).rights).toEqual(one.rights);
});

test("a right or preset that is misspelt at run time is refused, with what was probably meant", () => {
  expect(() => Permissions.none().allow("vss.manage_snapshot" as Right)).toThrow(thrown(undeclaredName));
  expect(() => Permissions.none().deny("constructor" as Right)).toThrow(thrown(undeclaredName));
  expect(() => Permissions.preset("toString" as "observer")).toThrow(thrown(undeclaredName));
});
