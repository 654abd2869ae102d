import { refusals } from "../../support/drafts";
import { change } from "../../support/plans";

const jane = (facts: object) =>
  change({ kind: "user_profile", name: "jane", before: {}, after: {}, ...facts });
const preventDestroy = new Set(["tenancy_user_profile.jane"]);

test("what is marked is neither deleted nor replaced", () => {
  const refused = ["TENANCY_PREVENT_DESTROY tenancy_user_profile.jane"];
  expect(refusals([jane({ after: null })], { preventDestroy })).toEqual(refused);
  expect(refusals([jane({ action: "replace" })], { preventDestroy })).toEqual(refused);
});

test("what is marked may be made and changed", () => {
  expect(refusals([jane({ before: null })], { preventDestroy })).toEqual([]);
  expect(refusals([jane({})], { preventDestroy })).toEqual([]);
});

test("what is not marked may go", () => {
  expect(
    refusals([jane({ after: null })], { preventDestroy: new Set(["tenancy_user_profile.joe"]) }),
  ).toEqual([]);
});
