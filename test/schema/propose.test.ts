/** From a declaration to a proposal: covers src/schema/attribute.ts, diff.ts and words.ts, besides its own source. */
import {
  changesBetween,
  flag,
  group,
  integer,
  isUnchanged,
  members,
  propose,
  same,
  text,
  textMap,
  textSet,
} from "../../src/schema";
import { isUnknown, type ObjectValue, UNKNOWN } from "../../src/lib/values";

const ATTRIBUTES = {
  name: text("Name.").required(),
  email: text("Address.").orNull(),
  email_verified: flag("Verified.").computed({ follows: ["email"] }),
  serial: text("Serial.").computed(),
  note: text("Note.").clientOnly(),
  guard: flag("Guard.").clientOnly(true),
  ...members(
    { name: "limits", description: "Limits." },
    {
      size: integer("Size.").orNull(),
      speed: integer("Speed."),
      tried: flag("Tried.").computed({ follows: ["speed"] }),
    },
  ),
  contact: group("Contact.", {
    phone: text("Phone.").orNull(),
    phone_valid: flag("Valid.").computed({ follows: ["phone"] }),
  }).orNull(),
  tags: textSet("Tags."),
  keepers: textMap("Keepers.").clientOnly(),
  secret_wo: text("Secret.").onlyWritten(),
};

const PRIOR = {
  name: "a",
  email: "a@b.example",
  email_verified: true,
  serial: "S1",
  note: null,
  guard: true,
  limits_size: 1,
  limits_speed: 2,
  limits_tried: true,
  contact: { phone: "555", phone_valid: true },
  tags: ["x"],
  keepers: null,
  secret_wo: null,
};

test("absent means: not managed, the service's value stays", () => {
  expect(propose(ATTRIBUTES, { name: "a" }, PRIOR)).toEqual(PRIOR);
});

test("for a new object, a value that is not declared is known after apply, and one that only the client knows has its default", () => {
  const planned = propose(ATTRIBUTES, { name: "a", secret_wo: "s" }, null);
  expect(["email", "serial", "limits_size"].every((name) => isUnknown(planned[name]))).toBe(true);
  expect(planned).toMatchObject({ note: null, guard: true, keepers: null, secret_wo: null });
});

test("members of an object of the API that are not declared are kept", () => {
  expect(propose(ATTRIBUTES, { name: "a", limits_speed: 3 }, PRIOR)).toMatchObject({
    limits_size: 1,
    limits_speed: 3,
  });
});

test("what follows a member of an object of the API follows it under its whole name", () => {
  expect(propose(ATTRIBUTES, { name: "a", limits_speed: 3 }, PRIOR)["limits_tried"]).toBe(UNKNOWN);
  expect(propose(ATTRIBUTES, { name: "a", limits_size: 3 }, PRIOR)["limits_tried"]).toBe(true);
});

test("a group that declares nothing changes nothing, also where there is none", () => {
  const without = { ...PRIOR, contact: null };
  for (const prior of [without, PRIOR]) {
    const planned = propose(ATTRIBUTES, { name: "a", contact: {} }, prior);
    expect(changesBetween(ATTRIBUTES, prior, planned)).toEqual([]);
  }
});

test("a verification follows what it verifies, inside groups too", () => {
  const config = { name: "a", email: "new@b.example", contact: { phone: "666" } };
  const planned = propose(ATTRIBUTES, config, PRIOR);
  expect(isUnknown(planned["email_verified"])).toBe(true);
  expect(planned["contact"]).toEqual({ phone: "666", phone_valid: UNKNOWN });
});

test("an unset value is planned away", () => {
  const unset = new Set(["email", "limits_size"]);
  const planned = propose(ATTRIBUTES, { name: "a" }, PRIOR, { unset });
  expect(planned).toMatchObject({ email: null, email_verified: UNKNOWN, limits_size: null, limits_speed: 2 });
  expect(propose(ATTRIBUTES, { name: "a" }, PRIOR, { unset: new Set(["contact"]) })["contact"]).toBeNull();
});

test("a value that is declared in spite of `unset` stays: `ignore_changes` has put it there", () => {
  const planned = propose(ATTRIBUTES, { name: "a", email: "a@b.example" }, PRIOR, {
    unset: new Set(["email"]),
  });
  expect(planned["email"]).toBe("a@b.example");
});

test("changes are told member by member, in the order of the description", () => {
  const planned = propose(ATTRIBUTES, { name: "b", tags: ["y", "x"], limits_size: 3 }, PRIOR);
  const changes = changesBetween(ATTRIBUTES, PRIOR, planned);
  expect(changes.map(({ path, before, after }) => [path.join("."), before, after])).toEqual([
    ["name", "a", "b"],
    ["limits_size", 1, 3],
    ["tags", ["x"], ["y", "x"]],
  ]);
});

test("a group that is taken away is one change", () => {
  const changes = changesBetween(ATTRIBUTES, PRIOR, { ...PRIOR, contact: null });
  expect(changes.map(({ path }) => path)).toEqual([["contact"]]);
});

test("a set is the same in any order, a map in any order of its keys, and an unknown as nothing", () => {
  expect(same(ATTRIBUTES.tags, ["a", "b"], ["b", "a"])).toBe(true);
  expect(same(ATTRIBUTES.tags, ["a"], ["b", "a"])).toBe(false);
  expect(same(ATTRIBUTES.keepers, { a: "1", b: "2" }, { b: "2", a: "1" })).toBe(true);
  expect(same(ATTRIBUTES.name, UNKNOWN, UNKNOWN)).toBe(false);
  expect(same(ATTRIBUTES.name, null, undefined)).toBe(true);
});

test("live records show that nothing changes, or that a full comparison is needed", () => {
  const contact = {
    city: text("City."),
    phone: text("Number.").shownMasked(),
    note: text("Note.").clientOnly(),
  };
  const attributes = {
    name: text("Name.").required(),
    title: text("Title."),
    tags: textSet("Tags."),
    sms: text("Number.").readFrom("sms.number").shownMasked(),
    guard: flag("Guard.").clientOnly(true),
    unset: textSet("Names.").clientOnly(),
    contact: group("Contact.", contact),
  };
  const live = { name: "a", title: "Dr.", sms: { number: "12345" }, tags: ["x", "y"] };
  const self = { ...live, contact: { city: "Berlin", phone: "********" } };
  const unchanged = (config: ObjectValue, record: ObjectValue = self) =>
    isUnchanged(attributes, { name: "a", ...config }, { self: record });

  expect(unchanged({ title: "Dr.", sms: "12345", tags: ["y", "x"], guard: false })).toBe(true);
  expect(unchanged({ title: null, contact: { city: "Berlin", phone: null, note: "call" } })).toBe(true);
  for (const config of [
    ...[{ title: "Prof." }, { title: UNKNOWN }, { unset: ["title"] }, { contact: { city: "Bonn" } }],
    ...[{ contact: { note: UNKNOWN } }, { contact: { phone: "********" } }],
  ])
    expect(unchanged(config)).toBe(false);
  expect(unchanged({ title: "Dr." }, { name: "a" })).toBe(false);
  expect(unchanged({ sms: "12345" }, { name: "a", sms: null })).toBe(false);
  expect(unchanged({ contact: { note: "call" } }, { name: "a", contact: null })).toBe(false);
});
