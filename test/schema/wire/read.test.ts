import { dataSources } from "../../../src/resources";
import { account } from "../../../src/resources/account/description";
import { userProfile } from "../../../src/resources/user-profile/description";
import { conform, changesBetween, readState, shownValue, text, texts, textSet } from "../../../src/schema";
import { parseJson, type ObjectValue } from "../../../src/lib/values";

const contactOf = (record: ObjectValue, prior: ObjectValue | null = null) =>
  readState(account.attributes, { self: { primary_contact: record } }, prior && { primary_contact: prior })[
    "primary_contact"
  ];

test("a contact's phone and address are read from where answers hold them", () => {
  const shown = {
    phone: { number: "555", valid: true, token: "t0ken" },
    email: { addr: "a@b.example", valid: false, token: "t0ken" },
  };
  expect(contactOf(shown)).toMatchObject({ phone: "555", email: "a@b.example" });
  const { attributes } = dataSources.get("tenancy_account")!.description;
  expect(readState(attributes, { self: { primary_contact: shown } }, null)["primary_contact"]).toMatchObject({
    phone: "555",
    phone_valid: true,
    email: "a@b.example",
    email_valid: false,
  });
});

test("no verification token is ever in a state", () => {
  const record = { primary_contact: { phone: { number: "555", valid: true, token: "t0ken" } } };
  expect(JSON.stringify(readState(account.attributes, { self: record }, null))).not.toContain("t0ken");
});

test("a service that shows the written shape is understood too", () => {
  expect(contactOf({ phone: "555", email: "a@b.example" })).toMatchObject({
    phone: "555",
    email: "a@b.example",
  });
});

test("what an answer leaves out keeps its prior value", () => {
  const prior = { first_name: "Jo", phone: "555", address: { city: "Ghent" } };
  expect(contactOf({ first_name: "Joe" }, prior)).toMatchObject({
    first_name: "Joe",
    phone: "555",
    address: { city: "Ghent" },
  });
});

test("a masked number keeps its prior value while the mask fits", () => {
  const smsOf = (number: string, sms: string) =>
    readState(userProfile.attributes, { self: { sms: { number, valid: true } } }, { sms })["sms"];
  expect(smsOf("******4567", "4155554567")).toBe("4155554567");
  expect(smsOf("******0000", "4155554567")).toBe("******0000");
});

test("a member of another type than expected is taken for absent", () => {
  const state = readState(userProfile.attributes, { self: { level: "high", access: [], xref: 3 } }, null);
  expect(state).toMatchObject({ level: null, access_api: null, access_web: null, xref: null });
});

test("an object of the API that is shown as null has members without values", () => {
  const state = readState(account.attributes, { self: { limits: null, billing_contact: null } }, null);
  expect(state).toMatchObject({
    limits_vss_num: null,
    limits_size_reserve_total: null,
    billing_contact: null,
  });
});

test("a live tag in another normal form than the declared one plans nothing", () => {
  const attributes = { name: text("Name."), tags: textSet("Tags."), lines: texts("Lines.") };
  const declared = { name: "caf\u00e9", tags: ["caf\u00e9"], lines: ["caf\u00e9"] };
  const shown = { name: "cafe\u0301", tags: ["cafe\u0301"], lines: ["cafe\u0301"] };
  const state = readState(attributes, { self: shown }, null);
  expect(state).toEqual(declared);
  expect(changesBetween(attributes, state, conform(attributes, declared).config)).toEqual([]);
});

test("a quota beyond 2^53 is exact", () => {
  const self = parseJson('{"limits": {"size_reserve_total": 9007199254740993}}') as ObjectValue;
  expect(readState(account.attributes, { self }, null)).toMatchObject({
    limits_vss_num: null,
    limits_size_reserve_total: 9007199254740993n,
  });
});

test("members of JavaScript's own prototypes are not read as values of a record", () => {
  const record = JSON.parse('{"__proto__": {"name": "evil"}}') as ObjectValue;
  expect(shownValue(text("Name."), "name", record)).toBeUndefined();
  expect(shownValue(text("Constructor."), "constructor", {})).toBeUndefined();
});

test("write-only values are in no state, whatever an answer holds", () => {
  const state = readState(
    userProfile.attributes,
    { self: { password: "p", password_wo: "p" } },
    { password_wo: "p" },
  );
  expect(state["password_wo"]).toBeNull();
});
