/** Which record a reading is of. */
import { identityOf, recordDifference } from "../../src/ownership";

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
])("a record with %s is another one, although it has the id", (_how, live, clause) => {
  expect(recordDifference({ ...known, ...live }, known)).toContain(clause);
});

test.each([
  ["another id", { id: "user_profile:1:9" }],
  ["another uuid alone, which the service lets others change", { uuid }],
  ["another time of creation alone", { ctime }],
  ["its uuid in other letters", { uuid: known.uuid.toLowerCase(), ctime }],
  ["no serial number", { serial: undefined }],
])("a record with %s is the same", (_how, live) => {
  expect(recordDifference({ ...known, ...live }, known)).toBeUndefined();
});

test("what the service does not show is not compared", () => {
  expect(identityOf({ id: null, ctime: "yesterday" })).toEqual({
    id: undefined,
    serial: undefined,
    uuid: undefined,
    ctime: undefined,
  });
  expect(recordDifference({}, known)).toBeUndefined();
});

test.each([
  ["uuid", { uuid }, `its uuid is ${uuid}, not 11111111`],
  ["id", { id: "user_profile:1:9" }, "its id is user_profile:1:9, not user_profile:1:7"],
  ["ctime", { ctime }, "it was created at another time"],
] as const)("another %s alone shows another record where it is decisive", (member, live, clause) => {
  expect(recordDifference({ ...known, ...live }, known, [member])).toContain(clause);
});

test.each([
  ["another name", { key: "jane@acme" }, 'its name is "jane@acme" now'],
  ["another account", { accountId: "account:1:2" }, "it belongs to the account account:1:2 now"],
])("a record with %s is another one", (_what, live, clause) => {
  const expected = { ...known, key: "csi@acme", accountId: "account:1:1" };
  expect(recordDifference({ ...expected, ...live }, expected)).toBe(clause);
  expect(recordDifference(live, known)).toBeUndefined();
});

test("a name in another Unicode form is the same name", () => {
  const key = "jose\u0301@acme";
  expect(recordDifference({ key: key.normalize("NFC") }, { key })).toBeUndefined();
});
