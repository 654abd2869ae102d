import { judge } from "../../../src/plan";
import type { ObjectValue } from "../../../src/lib/values";
import { draft, refusals, type DraftFacts } from "../../support/drafts";
import { change } from "../../support/plans";

const REFUSED = (address: string) => [`TENANCY_NOT_VERIFIED ${address}`];

/** The account `ops`, and in it the caller with these rights. */
const seenBy = (permissions: ObjectValue): DraftFacts => ({
  profiles: [
    { id: "user_profile:1:1", login: "ops", account_id: "account:1:1" },
    { id: "user_profile:1:2", login: "deployer@ops", account_id: "account:1:1", permissions },
  ],
});
const nothing = seenBy({
  realm: { rights: { manage_accounts: false } },
  user: { rights: { manage_users: false } },
});
const everything = seenBy({
  realm: { rights: { manage_accounts: true } },
  user: { rights: { manage_users: true } },
});

const acme = change({ kind: "account", name: "acme", before: null, after: { name: "acme" } });
const jane = (account_id?: string) =>
  change({
    kind: "user_profile",
    name: "jane",
    before: null,
    after: { username: "jane", ...(account_id !== undefined && { account_id }) },
  });

test("what a caller could not see is not made as if it were absent", () => {
  expect(refusals([acme], nothing)).toEqual(REFUSED("tenancy_account.acme"));
  expect(refusals([jane("account:1:1")], nothing)).toEqual(REFUSED("tenancy_user_profile.jane"));
});

test("what the caller would see is absent when it is not listed", () => {
  expect(refusals([acme, jane("account:1:1")], everything)).toEqual([]);
});

test("where nobody knows what the caller may do, creates go ahead", () => {
  expect(refusals([acme, jane("account:1:1")], seenBy({}))).toEqual([]);
});

test("a user is not made in an account that is not listed, whatever the caller may", () => {
  expect(judge(draft([jane("account:1:9")], everything))).toMatchObject([
    {
      summary: expect.stringContaining("its account account:1:9 is not listed") as string,
      address: "tenancy_user_profile.jane",
      constructPath: "platform/jane/Resource",
    },
  ]);
});

test("a user of the caller's own account, or of one that this plan makes, names no account to look for", () => {
  expect(refusals([jane()], everything)).toEqual([]);
});

test("what is there already is changed, deleted and left alone without that question", () => {
  const before = { username: "jane", account_id: "account:1:9" };
  const of = { kind: "user_profile", name: "jane", before } as const;
  expect(refusals([change({ ...of, after: before, action: "none" })], nothing)).toEqual([]);
  expect(refusals([change({ ...of, after: { ...before, email: "j@acme.example" } })], nothing)).toEqual([]);
  expect(refusals([change({ ...of, after: null })], nothing)).toEqual([]);
});

test("lists that may be short are told once, and not again at each object", () => {
  const facts = { ...nothing, survey: { incomplete: "the caller is not in them" } };
  expect(refusals([acme, jane("account:1:9")], facts)).toEqual(["TENANCY_INCOMPLETE_LISTS"]);
});

test("what is made at a service that the plan did not look at is not judged by the lists of another", () => {
  expect(refusals([{ ...acme, provider: "tenancy.elsewhere" }], nothing)).toEqual([]);
});
