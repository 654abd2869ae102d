/** Whether the service's lists are whole, and whether what they lack is absent: covers src/service/list-completeness.ts. */
import type { AccountRecord, CallerRecord, CommonRecord, ProfileRecord } from "../../src/api";
import { invalidValue, type TenancyError } from "../../src/problems";
import { Snapshot } from "../../src/service/snapshot";
import type { ObjectValue } from "../../src/lib/values";
import {
  whyAbsenceUnproven,
  whyListIncomplete,
  incompleteness,
  PROFILES_SEEN_WITH,
} from "../../src/service/list-completeness";

const ops: AccountRecord = { id: "account:1:1", name: "ops", admin_profile_id: "user:1:1" };
const admin: ProfileRecord = { id: "user:1:1", login: "ops", account_id: "account:1:1" };
const acme: AccountRecord = { id: "account:1:2", name: "acme", admin_profile_id: "user:1:2" };
const jane: ProfileRecord = { id: "user:1:2", login: "jane@acme", account_id: "account:1:2" };

interface Given {
  readonly accounts?: readonly AccountRecord[];
  readonly profiles?: readonly ProfileRecord[];
  readonly caller?: CallerRecord;
  readonly login?: string | undefined;
  readonly others?: ReadonlyMap<string, readonly CommonRecord[] | TenancyError>;
}

function lists({ accounts = [ops, acme], profiles = [admin, jane], caller, login, others }: Given = {}) {
  return new Snapshot({
    accounts,
    profiles,
    caller: caller ?? { account: { name: "ops" } },
    callerProfile: login,
    ...(others && { others }),
  });
}

test.each<[string, Given]>([
  ["hold the caller and all that they name", { login: "ops" }],
  ["hold a user of the caller's account, where the user is not known", {}],
  [
    "hold the caller, who shows no account",
    {
      accounts: [{ id: "account:1:1", name: "ops" }],
      profiles: [{ id: "user:1:1", login: "ops" }],
      login: "ops",
    },
  ],
  [
    "hold an account that shows no primary user",
    { accounts: [{ id: "account:1:1", name: "ops" }], profiles: [admin] },
  ],
])("lists are whole if they %s", (_what, given) => {
  const snapshot = lists(given);
  expect(incompleteness(snapshot)).toBeUndefined();
  expect(whyAbsenceUnproven([], snapshot)).toBeUndefined();
});

test.each<[string, Given, string]>([
  [
    "the caller's account",
    { accounts: [acme], profiles: [jane] },
    "the account that the run acts in is not in the list of accounts",
  ],
  [
    "all users of the caller's account",
    { profiles: [jane] },
    "no user profile of the account that the run acts in is in the list of profiles",
  ],
  [
    "all users of the caller's account, which shows no id",
    { accounts: [{ name: "ops" }], profiles: [{ id: "user:1:9" }] },
    "no user profile of the account that the run acts in is in the list of profiles",
  ],
  [
    "the account of a user",
    { accounts: [ops] },
    "the account account:1:2 of the user profile jane@acme is not in the list of accounts",
  ],
  [
    "the account of a user who shows no login",
    { accounts: [ops], profiles: [admin, { id: "user:1:2", account_id: "account:1:2" }] },
    "the account account:1:2 of the user profile user:1:2 is not in the list of accounts",
  ],
  [
    "the primary user of an account",
    { profiles: [admin] },
    "the primary user profile user:1:2 of the account acme is not in the list of profiles",
  ],
  [
    "the primary user of an account that shows no name",
    { accounts: [ops, { id: "account:1:2", admin_profile_id: "user:1:2" }], profiles: [admin] },
    "the primary user profile user:1:2 of the account account:1:2 is not in the list of profiles",
  ],
])("lists are not whole that lack %s", (_what, given, reason) => {
  const snapshot = lists(given);
  expect(incompleteness(snapshot)).toBe(reason);
  const doubt = { blocksCreate: true, reason: `the lists are incomplete: ${reason}` };
  expect(whyAbsenceUnproven([], snapshot)).toEqual(doubt);
});

test("lists are not whole that lack what is known to be live", () => {
  expect(incompleteness(lists().lacking("jane is live"))).toBe("jane is live");
});

const may = (rights: ObjectValue): CallerRecord => ({ account: { name: "ops" }, permissions: rights });

test.each<[string, CallerRecord, string | undefined, object | undefined]>([
  [
    "absent to a caller who may manage users",
    may({ user: { rights: { manage_users: true } } }),
    "acme",
    undefined,
  ],
  [
    "absent to a caller who may manage accounts",
    may({ user: { rights: { manage_users: false } }, realm: { rights: { manage_accounts: true } } }),
    "acme",
    undefined,
  ],
  [
    "in doubt to a caller without these rights",
    may({ user: { rights: { manage_users: false } }, realm: { rights: { manage_accounts: false } } }),
    "acme",
    {
      blocksCreate: true,
      reason: "the caller lacks the right user.manage_users or realm.manage_accounts, so it may exist unseen",
    },
  ],
  [
    "in doubt where the rights are not known, which stops no create",
    may({ realm: { rights: { manage_accounts: false } } }),
    undefined,
    {
      blocksCreate: false,
      reason: "it is not known whether the caller has the right user.manage_users or realm.manage_accounts",
    },
  ],
  [
    "in doubt where its account is not listed",
    may({ user: { rights: { manage_users: true } } }),
    "globex",
    { blocksCreate: true, reason: 'its account "globex" is not listed' },
  ],
])("a user whom the lists lack is %s", (_what, caller, account, doubt) => {
  expect(whyAbsenceUnproven(PROFILES_SEEN_WITH, lists({ caller }), account)).toEqual(doubt);
});

test("what everybody sees is absent where the lists lack it, whatever the caller may do", () => {
  expect(whyAbsenceUnproven([], lists())).toBeUndefined();
});

test("nothing is known to be absent from a list that the service refuses", () => {
  const refusal = invalidValue.error("not for you");
  const snapshot = lists({ others: new Map([["share", refusal]]) });
  expect(whyListIncomplete("share", snapshot)).toEqual({
    blocksCreate: true,
    reason: "the service refuses the list: not for you",
  });
  expect(whyListIncomplete("account", snapshot)).toBeUndefined();
});
