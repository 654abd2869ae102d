import { judge, type GuardedPlan } from "../../../src/plan";
import { worded } from "../../../src/problems";
import { draft, refusals, type DraftFacts } from "../../support/drafts";
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
])("deleting %d of %d records is judged %j", (deletes, owned, expected) => {
  expect(verdict(deletes, owned)).toEqual(expected);
});

test("an account counts with its primary user, and with those in it who are not ours", () => {
  const one = change({
    kind: "account",
    name: "acme",
    before: {},
    after: null,
    reason: "removed",
    observedRecord: {
      id: "account:1:9",
      uuid: undefined,
      accountId: undefined,
      seq: 1,
      key: "acme",
      readAt: 0,
    },
  });
  const contents = (others: number) => [
    {
      provider: "tenancy",
      accountId: "account:1:9",
      findings: ["users"],
      others: Array<string>(others).fill("eve@acme"),
    },
  ];
  const refused = (others: number, maxDeletes: number) =>
    refusals([one], { contents: contents(others), permits: { maxDeletes, allowNonempty: true } }).length;
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

test("each service has a limit of its own, and --max-deletes is about all of them", () => {
  const users = (provider: string, count: number) =>
    Array.from({ length: count }, (_unused, index) => ({
      ...change({ kind: "user_profile", name: `user${index}@acme`, before: {}, after: null }),
      provider,
    }));
  const [service] = draft([]).services;
  const at = (provider: string, origin: string, owned: number) => ({
    ...service!,
    provider,
    origin,
    countOwned: () => owned,
  });
  const judged = (
    first: number,
    second: number,
    maxDeletes?: number,
    contents: GuardedPlan["contents"] = [],
  ) =>
    worded(
      judge({
        ...draft([...users("tenancy", first), ...users("tenancy.second", second)], {
          permits: { ...(maxDeletes !== undefined && { maxDeletes }) },
          contents,
        }),
        services: [at("tenancy", "https://one.example", 80), at("tenancy.second", "https://two.example", 12)],
      }),
    ).map(({ summary, advice }) => `${summary}; ${advice}`);
  expect(judged(20, 5)).toEqual([]);
  expect(judged(20, 6)).toEqual([
    "6 records would be deleted at https://two.example, and this run may delete 5 there; " +
      "Nothing was written. To see the plan, add `--max-deletes 26` to `tenancy plan`, which deletes nothing. If the plan is right, apply with the same flag.",
  ]);
  expect(judged(20, 6, 26)).toEqual([]);
  const others = ["eve@acme", "joe@acme"];
  const deletedWithAccount = { provider: "tenancy", accountId: "account:1:1", findings: [], others };
  expect(judged(18, 5, undefined, [deletedWithAccount])).toEqual([]);
  expect(judged(19, 5, undefined, [deletedWithAccount])).toEqual([
    expect.stringMatching(/^21 records would be deleted at https:\/\/one.example/),
  ]);
  expect(judged(20, 6, 25)).toHaveLength(1);
  expect(judged(1, 7)).toEqual([
    expect.stringMatching(/over half of the 12 records that this stack manages at https:\/\/two.example/),
    expect.stringMatching(/may delete 5 there; .*--max-deletes 8/),
  ]);
});

test("a single record is counted as one", () => {
  const user = change({ kind: "user_profile", name: "jane@acme", before: {}, after: null });
  const told = (facts: DraftFacts) => judge(draft([user], facts)).map(({ summary }) => summary);
  expect(told({ survey: { owned: 1 } })).toEqual([
    "1 record would be deleted: only 1 record is managed by this stack",
  ]);
  expect(told({ survey: { owned: 4 }, permits: { maxDeletes: 0 } })).toEqual([
    "1 record would be deleted, and this run may delete 0",
  ]);
});

test("aliases with callers of their own share one limit: a quarter of what they have", () => {
  const users = (provider: string, count: number) =>
    Array.from({ length: count }, (_unused, index) => ({
      ...change({ kind: "user_profile", name: `user${index}@${provider}`, before: {}, after: null }),
      provider,
    }));
  const summaries = (first: number, second: number) =>
    judge(
      draft([...users("tenancy", first), ...users("tenancy.second", second)], {
        survey: { owned: 16 },
        aliases: [{ login: "ops", survey: { provider: "tenancy.second", owned: 12 } }],
      }),
    ).map(({ summary }) => summary);
  expect(summaries(5, 2)).toEqual([]);
  expect(summaries(2, 5)).toEqual([]);
  expect(summaries(5, 5)).toEqual(["10 records would be deleted, and this run may delete 7"]);
});

test("a refusal names those that would be deleted, and counts them from 40 on", () => {
  const deletes = (count: number) =>
    Array.from({ length: count }, (_unused, index) =>
      change({ kind: "user_profile", name: `user${index}`, key: `user${index}@acme`, before: {} }),
    );
  const detailOf = (count: number) =>
    worded(judge(draft(deletes(count), { survey: { owned: 1000 } }))).find(
      ({ code }) => code === "TENANCY_TOO_MANY_DELETES",
    )?.detail;
  expect(detailOf(30)).toMatch(/^To be deleted: user0@acme, user1@acme, .*, user29@acme\.$/);
  expect(detailOf(60)).toMatch(/, user39@acme, and 20 more\.$/);
  const account = change({ kind: "account", name: "acme", before: {}, after: null });
  const details = worded(judge(draft([account], { survey: { owned: 2 } }))).map(({ detail }) => detail);
  expect(details).toContain("To be deleted: acme (with its primary user).");
});
