import { refusals, type DraftFacts } from "../../support/drafts";
import { change } from "../../support/plans";

/** Codes of what stops so many users from being deleted. */
function verdict(deletes: number, owned: number, facts: DraftFacts = {}): readonly string[] {
  const changes = Array.from({ length: deletes }, (_unused, index) =>
    change({ kind: "user_profile", name: `user${index}@acme`, before: {}, after: null }),
  );
  return refusals(changes, { ...facts, survey: { owned } });
}

test.each([
  [5, 10, []],
  [5, 1000, []],
  [6, 12, ["TENANCY_TOO_MANY_DELETES"]],
  [10, 40, []],
  [11, 44, []],
  [11, 43, ["TENANCY_TOO_MANY_DELETES"]],
  [25, 1000, []],
  [26, 1000, ["TENANCY_TOO_MANY_DELETES"]],
])("%d of %d records may cease at once, or not: %j", (deletes, owned, expected) => {
  expect(verdict(deletes, owned)).toEqual(expected);
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
  const refused = (others: number, maxDeletes: number) =>
    refusals([one], { contents: contents(others), permits: { maxDeletes, nonempty: true } }).length;
  expect(refused(0, 2)).toBe(0);
  expect(refused(0, 1)).toBe(1);
  expect(refused(3, 5)).toBe(0);
  expect(refused(3, 4)).toBe(1);
});

test("a record that is made anew ceases as well", () => {
  const anew = Array.from({ length: 6 }, (_unused, index) =>
    change({ kind: "user_profile", name: `user${index}@acme`, action: "replace", before: {}, after: {} }),
  );
  expect(refusals(anew, { survey: { owned: 12 } })).toEqual(["TENANCY_TOO_MANY_DELETES"]);
});

test("destroy is limited by --max-deletes alone", () => {
  expect(verdict(100, 100, { destroy: true })).toEqual([]);
  expect(verdict(100, 100, { destroy: true, permits: { maxDeletes: 99 } })).toEqual([
    "TENANCY_TOO_MANY_DELETES",
  ]);
});
