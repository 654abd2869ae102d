import type { Change } from "../../../src/plan";
import { refusals, type DraftFacts } from "../../support/drafts";
import { change, type ChangeFacts } from "../../support/plans";

const observedRecord = (id: string) => ({
  id,
  uuid: undefined,
  accountId: undefined,
  seq: 1,
  key: "acme",
  readAt: 0,
});

const account = (name: string, facts: Partial<ChangeFacts> = {}): Change =>
  change({
    kind: "account",
    name,
    before: {},
    after: null,
    observedRecord: observedRecord(`id of ${name}`),
    ...facts,
  });

const holding = (name: string, ...findings: readonly string[]) => ({
  provider: "tenancy",
  accountId: `id of ${name}`,
  findings,
  others: [],
});

/** What is said beyond the leave that deleting an account needs at all. */
const verdict = (changes: readonly Change[], facts: DraftFacts) =>
  refusals(changes, { ...facts, permits: { allowAccountDeletion: true, ...facts.permits } });

const REFUSED = ["TENANCY_ACCOUNT_NOT_EMPTY tenancy_account.acme"];

test("an account that holds something is neither deleted nor replaced", () => {
  const contents = [holding("acme", "2 storage services")];
  expect(verdict([account("acme")], { contents })).toEqual(REFUSED);
  expect(verdict([account("acme", { action: "replace", after: {} })], { contents })).toEqual(REFUSED);
});

test("only the account that holds something is refused, and not the empty one beside it", () => {
  const contents = [holding("globex"), holding("acme", "2 storage services")];
  expect(verdict([account("globex"), account("acme")], { contents })).toEqual(REFUSED);
});

test("what an account of another service holds is not held against one that has its id here", () => {
  const elsewhere = { ...holding("acme", "2 storage services"), provider: "tenancy.second" };
  expect(verdict([account("acme")], { contents: [elsewhere] })).toEqual([]);
});

test("an account that stays may hold what it likes", () => {
  const contents = [holding("acme", "2 storage services")];
  const changed = account("acme", { after: {} });
  const made = change({ kind: "account", name: "new", before: null, after: {} });
  expect(verdict([made, changed, account("globex")], { contents })).toEqual([]);
});

test("allow_nonempty_delete of that account, or the run, allows it", () => {
  const contents = [holding("acme", "2 storage services")];
  const allowing = (allowed: boolean) => account("acme", { before: { allow_nonempty_delete: allowed } });
  expect(verdict([allowing(true)], { contents })).toEqual([]);
  expect(verdict([allowing(false)], { contents })).toEqual(REFUSED);
  expect(verdict([account("acme")], { contents, permits: { allowNonempty: true } })).toEqual([]);
});
