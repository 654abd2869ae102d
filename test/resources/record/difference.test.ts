/** Says if a record of the same identity has changed. */
import { isSameVersion } from "../../../src/resources/record/update";

const expected = { seq: 1, partSeq: 2 };

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
