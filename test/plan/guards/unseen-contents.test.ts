import { judge } from "../../../src/plan";
import { tokenCreationImpossible } from "../../../src/problems";
import { Snapshot } from "../../../src/service/snapshot";
import { draft, refusals } from "../../support/drafts";
import { change } from "../../support/plans";

/** What the caller may not list of a family that lives in accounts. */
const refusal = tokenCreationImpossible.error({
  login: "ops",
  why: "the list of disks is refused",
  instead: [],
});
const listing = (disks: readonly [] | typeof refusal) =>
  new Snapshot({
    accounts: [{ id: "account:1:1", name: "ops", admin_profile_id: "user_profile:1:1" }],
    profiles: [{ id: "user_profile:1:1", login: "ops", account_id: "account:1:1" }],
    others: new Map([["virtual_disk", disks]]),
    caller: { type: "user" },
    callerProfile: "ops",
  });
const unseen = { survey: { snapshot: listing(refusal) }, permits: { allowAccountDeletion: true } };
const deleted = (name: string, facts: object = {}) =>
  change({ kind: "account", name, before: { name, deletion_protection: false }, after: null, ...facts });
const REFUSED = ["TENANCY_INCOMPLETE_LISTS"];

test("an account does not go while the list of what lives in accounts is refused, and is not replaced either", () => {
  expect(refusals([deleted("acme")], unseen)).toEqual(REFUSED);
  expect(refusals([deleted("acme", { action: "replace", after: { name: "acme" } })], unseen)).toEqual(
    REFUSED,
  );
  expect(refusals([deleted("acme")], { ...unseen, survey: { snapshot: listing([]) } })).toEqual([]);
});

test("how many accounts go is told, with the service's refusal", () => {
  const jane = change({ kind: "user_profile", name: "jane", before: {}, after: null });
  expect(judge(draft([deleted("acme"), deleted("globex"), jane], unseen))).toMatchObject([
    {
      summary: expect.stringMatching(/are incomplete: .*the list of disks is refused/) as string,
      detail: "2 planned creates and deletes depend on them.",
    },
  ]);
});

test("an account that stays, or goes at another service, and a user who goes hide nothing", () => {
  const stays = { after: { name: "acme" } };
  const jane = change({ kind: "user_profile", name: "jane", before: {}, after: null });
  expect(
    refusals([deleted("acme", { ...stays, before: { name: "acme", email: "a@b" } }), jane], unseen),
  ).toEqual([]);
  expect(refusals([deleted("acme", { provider: "tenancy.elsewhere" })], unseen)).toEqual([]);
});
