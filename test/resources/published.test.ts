/** A snapshot holds all that resources and data sources read, and nothing else: covers src/resources/published.ts. */
import { type Extent, publisherOf, recordOfPublished } from "../../src/resources";
import { account, shownAccount } from "../../src/resources/account/description";
import { publish } from "../../src/resources/published";
import { shownProfile, userProfile } from "../../src/resources/user-profile/description";
import {
  type Attribute,
  type Attributes,
  groups,
  integer,
  integers,
  shownValue,
  text,
  textSet,
} from "../../src/schema";
import { NOT_IN_SNAPSHOT, type ObjectValue, type Value } from "../../src/lib/values";

/** An answer that shows one attribute. */
function recordWith(name: string, { codec, readPath = [name], shape }: Attribute): ObjectValue {
  if (codec !== undefined)
    return codec.write({ [name]: shape.kind === "map" ? { "vss.manage_targets": true } : ["a"] }, null);
  return readPath.reduceRight<Value>(
    (inner, step) => ({ [String(step)]: inner }),
    valueOf({ shape }),
  ) as ObjectValue;
}

function valueOf({ shape }: Pick<Attribute, "shape">): Value {
  switch (shape.kind) {
    case "string":
      // As of an event query, so that every text may be one.
      return "serial=1";
    case "integer":
      return 1;
    case "bool":
      return true;
    case "list":
    case "set":
      return [shape.of === "string" ? "a" : 1];
    case "map":
      return { a: true };
    case "group":
      return membersOf(shape.attributes);
    case "groups":
      return [membersOf(shape.attributes)];
  }
}

function membersOf(attributes: Attributes): ObjectValue {
  return Object.entries(attributes).reduce<ObjectValue>(
    (record, [name, attribute]) => ({ ...record, ...recordWith(name, attribute) }),
    {},
  );
}

const READ: readonly (readonly ["account" | "user_profile", Extent, Attributes, Attribute["of"]])[] = [
  ["account", "managed", account.attributes, "self"],
  ["user_profile", "managed", account.attributes, "primary"],
  ["user_profile", "managed", userProfile.attributes, "self"],
  ["account", "full", shownAccount, "self"],
  ["user_profile", "full", shownProfile, "self"],
];

test.each(
  READ.flatMap(([kind, extent, attributes, of]) =>
    Object.entries(attributes)
      .filter(([, attribute]) => attribute.shown && attribute.of === of)
      .map(([name, attribute]) => ({ kind, extent, name, attribute })),
  ),
)("a snapshot that is $extent holds $name of the $kind", ({ kind, extent, name, attribute }) => {
  const record = recordWith(name, attribute);
  const shown = shownValue(attribute, name, record);
  expect(shown ?? null).not.toBeNull();
  expect(shownValue(attribute, name, publisherOf(`tenancy_${kind}`)(record, extent).record)).toEqual(shown);
});

describe("what a snapshot leaves out", () => {
  const PROFILE: ObjectValue = {
    id: "user:1:1",
    login: "jane@acme",
    level: 4,
    account_admin: false,
    email: "jane@acme.example",
    sms: { number: "+41", valid: true, verification: "s3cret" },
    two_factor: { auth: "sms", yubikey_id: "abc", security_email: "jane@home.example" },
    xref: "HR-7",
    xmd_refs: ["a"],
    label: "Jane",
    sessions: [{ id: "s", serial: "S1", token: "s3cret" }],
    password_digest: "s3cret",
  };
  const taken = (extent: Extent, of = PROFILE) => publisherOf("tenancy_user_profile")(of, extent);

  test("of a user whom no stack manages: what is personal, and what only a full one holds", () => {
    expect(taken("public")).toEqual({
      record: {
        id: "user:1:1",
        login: "jane@acme",
        level: 4,
        account_admin: false,
        two_factor: { auth: "sms" },
      },
      left_out: ["email", "sms", "two_factor.security_email", "two_factor.yubikey_id"].concat([
        "xmd_refs",
        "xref",
        "label",
        "sessions",
      ]),
    });
  });

  test("of a user whom a stack manages: what only a full one holds", () => {
    const { record, left_out } = taken("managed");
    expect(record).toMatchObject({
      email: "jane@acme.example",
      sms: { number: "+41", valid: true },
      two_factor: { auth: "sms", yubikey_id: "abc", security_email: "jane@home.example" },
      xref: "HR-7",
      xmd_refs: ["a"],
    });
    expect(left_out).toEqual(["label", "sessions"]);
  });

  test("in full: members that the specification does not have, which may be secret", () => {
    const { record, left_out } = taken("full");
    expect(left_out).toEqual([]);
    expect(record).toMatchObject({ label: "Jane", sessions: [{ id: "s", serial: "S1" }] });
    expect(JSON.stringify(record)).not.toContain("s3cret");
  });

  test.each<[string, ObjectValue, readonly string[]]>([
    ["a text that is none", { login: 7 }, ["login"]],
    ["a number that is none", { level: "4" }, ["level"]],
    ["a number with a fraction", { level: 4.5 }, ["level"]],
    ["a flag that is none", { activated: "yes" }, ["activated"]],
    ["a list that is none, or whose elements are no texts", { xmd_refs: "a" }, ["xmd_refs"]],
    ["a list of something else than texts", { xmd_refs: ["a", { token: "s3cret" }] }, ["xmd_refs"]],
    ["an object that is none", { access: "web" }, ["access"]],
    ["a member of an object", { access: { web: "yes", api: true } }, ["access.web"]],
    ["objects, if some are none", { sessions: [{ id: "s" }, "S1"] }, ["sessions"]],
    ["a list in place of a query", { evt_qry: ["serial=1"] }, ["evt_qry"]],
    ["objects that are none", { sessions: ["S1"] }, ["sessions"]],
    ["a list of objects that is none", { sessions: "S1" }, ["sessions"]],
    ["a query that says more than whose events it asks for", { evt_qry: "serial=1&key=s3cret" }, ["evt_qry"]],
    ["a query that is none", { evt_qry: 7 }, ["evt_qry"]],
    ["rights that are none", { permissions: "all" }, ["permissions"]],
  ])("whatever the extent: %s", (_what, record, left) => {
    const published = taken("full", record);
    expect(published.left_out).toEqual(left);
    expect(JSON.stringify(published.record)).not.toContain("s3cret");
    expect(recordOfPublished(published)).not.toEqual(published.record);
  });

  test("a member without a value says nothing, and stays", () => {
    const record = { login: null, email: null, sessions: null };
    expect(taken("public", record)).toEqual({ record, left_out: [] });
  });

  test("of rights: what is neither granted nor denied, and names that are none", () => {
    const permissions = {
      vss: {
        rights: { remove_vss: true, resize_disks: false, fly: "s3cret", "a b": true },
        all_realm_scope: true,
        vsses: ["v"],
        key: "s3cret",
      },
      user: { rights: "s3cret", nodes: [1] },
      "s3cret!": { rights: {} },
      realm: "s3cret",
    };
    expect(taken("public", { permissions }).record).toEqual({
      permissions: {
        vss: { rights: { remove_vss: true, resize_disks: false }, all_realm_scope: true, vsses: ["v"] },
        user: {},
      },
    });
  });

  test("of an account: numbers of tables that are none", () => {
    const ec = (d: Value): ObjectValue => ({ ec: { table: { time: 1, hdrs: d, rows: [{ v: "a", d }] } } });
    const full = (of: ObjectValue) => publisherOf("tenancy_account")(of, "full").record;
    expect(full(ec([1, 2]))).toEqual(ec([1, 2]));
    expect(full(ec([1, "s3cret"]))).toEqual({ ec: { table: { time: 1, rows: [{ v: "a" }] } } });
    expect(full(ec("s3cret"))).toEqual({ ec: { table: { time: 1, rows: [{ v: "a" }] } } });
  });

  test("is marked when the record is read again, and nothing else is", () => {
    expect(recordOfPublished(taken("managed"))).toEqual({
      ...taken("managed").record,
      label: NOT_IN_SNAPSHOT,
      sessions: NOT_IN_SNAPSHOT,
    });
    const { two_factor } = recordOfPublished(taken("public"));
    expect(two_factor).toEqual({
      auth: "sms",
      yubikey_id: NOT_IN_SNAPSHOT,
      security_email: NOT_IN_SNAPSHOT,
    });
  });

  test("of a family that is added later: what its description names, and no secret", () => {
    const disk = {
      id: "vdisk:1:1",
      name: "d",
      capacity: 7,
      sizes: [1, 2],
      tags: ["a"],
      key: "s3cret",
      keys: [{ a: "s3cret" }],
    };
    const attributes = {
      capacity: integer(""),
      sizes: integers(""),
      tags: textSet(""),
      keys: groups("", { b: text("") }),
      key: text("").secret(),
    };
    expect(publish(attributes, disk, "full")).toEqual({
      record: { id: "vdisk:1:1", name: "d", capacity: 7, sizes: [1, 2], tags: ["a"], keys: [{}] },
      left_out: [],
    });
  });
});
