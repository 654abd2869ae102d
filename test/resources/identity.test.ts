/** Which record a reading is of. */
import { goneWithId, identityOf, otherRecord } from "../../src/resources";

const known = {
  id: "user_profile:1:7",
  serial: "USR1B00000000000007",
  uuid: "11111111-AAAA-4111-8111-111111111111",
  ctime: 1_700_000_000_000,
};
const uuid = "22222222-2222-4222-8222-222222222222";
const ctime = 1_800_000_000_000;

test.each([
  ["another serial number", { serial: "USR1B00000000000008" }, "its serial number is USR1B00000000000008"],
  ["another uuid and another time of creation", { uuid, ctime }, `its uuid is ${uuid}, not 11111111`],
])("a record with %s is another one, although it has the id", (_how, live, told) => {
  expect(otherRecord({ ...known, ...live }, known)).toContain(told);
});

test.each([
  ["another id", { id: "user_profile:1:9" }],
  ["another uuid alone, which the service lets others change", { uuid }],
  ["another time of creation alone", { ctime }],
  ["its uuid in other letters", { uuid: known.uuid.toLowerCase(), ctime }],
  ["no serial number", { serial: undefined }],
])("a record with %s is the same", (_how, live) => {
  expect(otherRecord({ ...known, ...live }, known)).toBeUndefined();
});

test("what the service does not show is not compared", () => {
  expect(identityOf({ id: null, ctime: "yesterday" })).toEqual({
    id: undefined,
    serial: undefined,
    uuid: undefined,
    ctime: undefined,
  });
  expect(otherRecord({}, known)).toBeUndefined();
});

test("the warning names the object, the id, and what differs", () => {
  const prior = { ...known, login: "jane@acme" };
  const live = { ...known, serial: "USR1B00000000000008" };
  expect(goneWithId("user profile", "jane@acme", { live: prior, prior })).toBeUndefined();
  expect(goneWithId("user profile", "jane@acme", { live, prior })).toMatchObject({
    code: "TENANCY_ID_GIVEN_AGAIN",
    detail: expect.stringMatching(/"jane@acme".*user_profile:1:7.*USR1B00000000000008/) as string,
  });
});
