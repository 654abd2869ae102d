import { refusals } from "../../support/drafts";
import { change } from "../../support/plans";

const jane = (facts: object) =>
  change({ kind: "user_profile", name: "jane", before: {}, after: {}, ...facts });
const short = { survey: { incomplete: "the caller is not in them" } };
const REFUSED = ["TENANCY_INCOMPLETE_LISTS"];

test("nothing is made, deleted or replaced on the word of lists that may be short", () => {
  expect(refusals([jane({ before: null })], short)).toEqual(REFUSED);
  expect(refusals([jane({ after: null })], short)).toEqual(REFUSED);
  expect(refusals([jane({ action: "replace" })], short)).toEqual(REFUSED);
});

test("what is listed may be changed all the same", () => {
  expect(refusals([jane({}), jane({ action: "none" })], short)).toEqual([]);
});

test("complete lists stop nothing, and short ones nothing at another service", () => {
  expect(refusals([jane({ before: null })])).toEqual([]);
  expect(refusals([jane({ after: null, provider: "tenancy.elsewhere" })], short)).toEqual([]);
});
