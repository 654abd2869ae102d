import { refusals, type DraftFacts } from "../../support/drafts";
import { change } from "../../support/plans";

const user = (name: string) =>
  change({ kind: "user_profile", name: `${name}@acme`, before: {}, after: null, reason: "undeclared" });
const users = (count: number) => Array.from({ length: count }, (_unused, index) => user(`user${index}`));

const verdict = (deletes: number, owned: number, facts: DraftFacts = {}) =>
  refusals(users(deletes), { ...facts, survey: { owned } });

test("half of what is ours may go, and no more", () => {
  expect(verdict(2, 4)).toEqual([]);
  expect(verdict(3, 5)).toEqual(["TENANCY_TOO_MANY_DELETES"]);
});

test("a stack that declares nothing deletes not even one of many", () => {
  expect(verdict(1, 100, { declaresNothing: true })).toEqual(["TENANCY_TOO_MANY_DELETES"]);
});

test("a plan that deletes nothing is no mass deletion, whatever is declared and whatever is ours", () => {
  const jane = change({ kind: "user_profile", name: "jane@acme", before: {}, after: {} });
  expect(refusals([jane], { declaresNothing: true, survey: { owned: 0 } })).toEqual([]);
});

test("aliases of one service lose half of what their owners have, whoever works through them", () => {
  const aliases = [{ login: "ops", survey: { provider: "tenancy.second", owned: 2 } }];
  expect(verdict(3, 4, { aliases })).toEqual([]);
  expect(verdict(4, 4, { aliases })).toEqual(["TENANCY_TOO_MANY_DELETES"]);
});

test("a number given for it, or destroy, says that it is meant", () => {
  expect(verdict(3, 3, { declaresNothing: true, permits: { maxDeletes: 3 } })).toEqual([]);
  expect(verdict(3, 3, { declaresNothing: true, destroy: true })).toEqual([]);
});
