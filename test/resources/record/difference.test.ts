/** Covers `differenceOf` and `isSameVersion` of src/resources/record/update.ts. */
import { differenceOf, isSameVersion } from "../../../src/resources/record/update";

const expected = {
  uuid: "11111111-AAAA-5111-8111-111111111111",
  key: "csi@acme",
  accountId: "account:1:1",
  seq: 1,
  partSeq: 2,
};

test.each([
  ["another uuid", { uuid: "22222222-2222-5222-8222-222222222222" }, "its uuid is 22222222"],
  ["another name", { key: "jane@acme" }, 'its name is "jane@acme" now'],
  ["another account", { accountId: "account:1:2" }, "it belongs to the account account:1:2 now"],
])("a record with %s is another one", (_what, live, told) => {
  expect(differenceOf({ ...expected, ...live }, expected)).toContain(told);
});

test("a record is the same in other letters of its uuid and name, and where one side does not know something", () => {
  const { uuid } = expected;
  expect(differenceOf({ ...expected, uuid: uuid.toLowerCase() }, expected)).toBeUndefined();
  const key = "jose\u0301@acme";
  expect(differenceOf({ key: key.normalize("NFC") }, { key })).toBeUndefined();
  expect(differenceOf({}, expected)).toBeUndefined();
  expect(differenceOf(expected, {})).toBeUndefined();
});

test.each([
  ["the numbers of the record and of its part", {}, true],
  ["the number of the record, whose part was not read", { partSeq: undefined }, true],
  ["another number", { seq: 3 }, false],
  ["another number of its part", { partSeq: 3 }, false],
  ["no number", { seq: undefined }, false],
])("a record is known to be unchanged by %s: %#", (_what, live, isSame) => {
  expect(isSameVersion({ ...expected, ...live }, expected)).toBe(isSame);
  expect(isSameVersion({ ...expected, ...live }, {})).toBe(false);
});
