import { judge } from "../../../src/plan";
import { draft, type DraftFacts } from "../../support/drafts";
import { change } from "../../support/plans";

/** Codes of what stops so many users from being deleted. */
function refusals(deletes: number, owned: number, facts: DraftFacts = {}): readonly string[] {
  const changes = Array.from({ length: deletes }, (_unused, index) =>
    change({ kind: "user_profile", name: `user${index}@acme`, before: {}, after: null }),
  );
  return judge(draft(changes, { ...facts, survey: { owned } })).map(({ code }) => code);
}

test.each([
  [5, 10, []],
  [6, 12, ["TENANCY_TOO_MANY_DELETES"]],
  [10, 40, []],
  [11, 44, []],
  [11, 43, ["TENANCY_TOO_MANY_DELETES"]],
  [25, 1000, []],
  [26, 1000, ["TENANCY_TOO_MANY_DELETES"]],
])("%d of %d records may cease at once, or not: %j", (deletes, owned, expected) => {
  expect(refusals(deletes, owned)).toEqual(expected);
});

test("half of what is ours may go, and no more", () => {
  expect(refusals(2, 4)).toEqual([]);
  expect(refusals(3, 5)).toEqual(["TENANCY_MASS_DELETION"]);
});

test("an account counts with its primary user, and with those in it who are not ours", () => {
  const one = change({
    kind: "account",
    name: "acme",
    before: {},
    after: null,
    reason: "removed",
    sighting: { id: "account:1:9", uuid: undefined, accountId: undefined, seq: 1, key: "acme", readAt: 0 },
  });
  const contents = (others: number) => [{ accountId: "account:1:9", findings: ["users"], others }];
  const verdict = (others: number, maxDeletes: number) =>
    judge(draft([one], { contents: contents(others), permits: { maxDeletes, nonempty: true } })).length;
  expect(verdict(0, 2)).toBe(0);
  expect(verdict(0, 1)).toBe(1);
  expect(verdict(3, 5)).toBe(0);
  expect(verdict(3, 4)).toBe(1);
});

test("destroy is limited by --max-deletes alone", () => {
  expect(refusals(100, 100, { destroy: true })).toEqual([]);
  expect(refusals(100, 100, { destroy: true, permits: { maxDeletes: 99 } })).toEqual([
    "TENANCY_TOO_MANY_DELETES",
  ]);
});
