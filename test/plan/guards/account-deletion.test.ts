import type { DeleteReason } from "../../../src/plan";
import type { ObjectValue } from "../../../src/lib/values";
import { refusals, type DraftFacts } from "../../support/drafts";
import { change } from "../../support/plans";

/** What the guards say where the account `acme` goes. */
function verdict(before: ObjectValue, reason: DeleteReason | undefined, permits: DraftFacts["permits"] = {}) {
  return refusals([change({ kind: "account", name: "acme", before, after: null, reason })], { permits });
}

const REFUSED = ["TENANCY_ACCOUNT_DELETION tenancy_account.acme"];

test("an account is neither deleted nor replaced unless somebody allowed it", () => {
  expect(verdict({ deletion_protection: true }, "destroy")).toEqual(REFUSED);
  expect(verdict({}, "destroy")).toEqual(REFUSED);
  const anew = change({ kind: "account", name: "acme", action: "replace", before: {}, after: {} });
  expect(refusals([anew])).toEqual(REFUSED);
});

test("deletion_protection = false allows it while the account is declared", () => {
  expect(verdict({ deletion_protection: false }, "destroy")).toEqual([]);
  expect(verdict({ deletion_protection: false }, "undeclared")).toEqual(REFUSED);
});

test("a removal by name allows it, whatever the account was declared with", () => {
  expect(verdict({ deletion_protection: true }, "removed")).toEqual([]);
});

test("the run allows it for every account, or for those that it names, and for no other", () => {
  expect(verdict({}, "undeclared", { allowAccountDeletion: true })).toEqual([]);
  expect(verdict({}, "undeclared", { allowAccountDeletion: ["globex", "acme"] })).toEqual([]);
  expect(verdict({}, "undeclared", { allowAccountDeletion: ["globex"] })).toEqual(REFUSED);
  expect(verdict({}, "undeclared", { allowAccountDeletion: [] })).toEqual(REFUSED);
});

test("an account that is made, changed or left alone needs no leave", () => {
  const made = change({ kind: "account", name: "acme", before: null, after: {} });
  const changed = change({ kind: "account", name: "acme", before: {}, after: {} });
  const settled = change({ kind: "account", name: "acme", action: "none", before: {}, after: {} });
  expect(refusals([made, changed, settled])).toEqual([]);
});

test("a user goes without leave, for no storage goes along", () => {
  const jane = change({ kind: "user_profile", name: "jane@acme", before: {}, after: null });
  expect(refusals([jane])).toEqual([]);
});
