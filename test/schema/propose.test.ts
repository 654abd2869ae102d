import { diff, flag, group, integer, propose, same, text, textMap, textSet } from "../../src/schema";
import { isUnknown, UNKNOWN } from "../../src/values";

const ATTRIBUTES = {
  name: text("Name.").required(),
  email: text("Address.").orNull(),
  email_verified: flag("Verified.").computed({ follows: ["email"] }),
  serial: text("Serial.").computed(),
  note: text("Note.").clientOnly(),
  guard: flag("Guard.").clientOnly(true),
  limits: group("Limits.", { size: integer("Size.").orNull().absentMeans(null), speed: integer("Speed.") }),
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
  limits: { size: 1, speed: 2 },
  contact: { phone: "555", phone_valid: true },
  tags: ["x"],
  keepers: null,
  secret_wo: null,
};

test("absent means: not managed, the service's value stays", () => {
  expect(propose(ATTRIBUTES, { name: "a" }, PRIOR)).toEqual(PRIOR);
});

test("of a new object, what is not declared is known after apply; what only the client knows has its default", () => {
  const planned = propose(ATTRIBUTES, { name: "a", secret_wo: "s" }, null);
  expect(isUnknown(planned["email"]) && isUnknown(planned["serial"]) && isUnknown(planned["limits"])).toBe(
    true,
  );
  expect(planned).toMatchObject({ note: null, guard: true, keepers: null, secret_wo: null });
});

test("in a group that is managed whole, what is absent is taken away; the rest of it is kept", () => {
  expect(propose(ATTRIBUTES, { name: "a", limits: {} }, PRIOR)["limits"]).toEqual({ size: null, speed: 2 });
});

test("a group that declares nothing changes nothing, also where there is none", () => {
  const without = { ...PRIOR, contact: null };
  expect(diff(ATTRIBUTES, without, propose(ATTRIBUTES, { name: "a", contact: {} }, without))).toEqual([]);
  expect(diff(ATTRIBUTES, PRIOR, propose(ATTRIBUTES, { name: "a", contact: {} }, PRIOR))).toEqual([]);
});

test("a verification follows what it verifies, inside groups too", () => {
  const planned = propose(
    ATTRIBUTES,
    { name: "a", email: "new@b.example", contact: { phone: "666" } },
    PRIOR,
  );
  expect(isUnknown(planned["email_verified"])).toBe(true);
  expect(planned["contact"]).toEqual({ phone: "666", phone_valid: UNKNOWN });
});

test("an unset value is planned away, also in a group that is not declared", () => {
  const unset = new Set(["email", "contact.phone"]);
  const planned = propose(ATTRIBUTES, { name: "a" }, PRIOR, { unset });
  expect(planned).toMatchObject({ email: null, contact: { phone: null } });
  expect(propose(ATTRIBUTES, { name: "a" }, PRIOR, { unset: new Set(["contact"]) })["contact"]).toBeNull();
});

test("changes are told member by member, in the order of the description", () => {
  const planned = propose(ATTRIBUTES, { name: "b", tags: ["y", "x"], limits: { size: 3 } }, PRIOR);
  const changes = diff(ATTRIBUTES, PRIOR, planned);
  expect(changes.map(({ path, before, after }) => [path.join("."), before, after])).toEqual([
    ["name", "a", "b"],
    ["limits.size", 1, 3],
    ["tags", ["x"], ["y", "x"]],
  ]);
});

test("a group that is taken away is one change", () => {
  expect(diff(ATTRIBUTES, PRIOR, { ...PRIOR, contact: null }).map(({ path }) => path)).toEqual([["contact"]]);
});

test("a set is the same in any order, a map in any order of its keys, and an unknown as nothing", () => {
  expect(same(ATTRIBUTES.tags, ["a", "b"], ["b", "a"])).toBe(true);
  expect(same(ATTRIBUTES.tags, ["a"], ["b", "a"])).toBe(false);
  expect(same(ATTRIBUTES.keepers, { a: "1", b: "2" }, { b: "2", a: "1" })).toBe(true);
  expect(same(ATTRIBUTES.name, UNKNOWN, UNKNOWN)).toBe(false);
  expect(same(ATTRIBUTES.name, null, undefined)).toBe(true);
});
