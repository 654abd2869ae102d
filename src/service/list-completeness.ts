/** Judges whether the service's lists are complete (design: Complete lists). */
import { onceForEach } from "../lib/values";
import { callerMay, type Right } from "./rights";
import type { Snapshot } from "./snapshot";

/** Why absence from the lists proves nothing. */
export interface UnprovenAbsence {
  /** False if only the caller's rights are not known: creates go ahead then. */
  readonly blocksCreate: boolean;
  readonly reason: string;
}

/**
 * Lists are complete if they contain the caller (with a bearer token: its account, and a profile of that account), if every `account_id`
 * and `admin_profile_id` resolves, and if they lack no record that is known to be live.
 * @returns the missing record; undefined if there is none
 */
export const incompleteness = onceForEach(
  (snapshot: Snapshot) => callerMissing(snapshot) ?? danglingReference(snapshot) ?? snapshot.unlisted,
);

function callerMissing(snapshot: Snapshot): string | undefined {
  const account = snapshot.callerAccount;
  if (account === undefined) return "the account that the run acts in is not in the list of accounts";
  if (snapshot.callerProfile !== undefined) return undefined;
  const profiles = typeof account.id === "string" ? snapshot.profilesOf(account.id) : [];
  return profiles.length > 0
    ? undefined
    : "no user profile of the account that the run acts in is in the list of profiles";
}

function danglingReference(snapshot: Snapshot): string | undefined {
  for (const profile of snapshot.profiles) {
    if (typeof profile.account_id === "string" && snapshot.account(profile.account_id) === undefined) {
      return `the account ${profile.account_id} of the user profile ${String(profile.login ?? profile.id)} is not in the list of accounts`;
    }
  }
  for (const account of snapshot.accounts) {
    if (
      typeof account.admin_profile_id === "string" &&
      snapshot.profile(account.admin_profile_id) === undefined
    ) {
      return `the primary user profile ${account.admin_profile_id} of the account ${String(account.name ?? account.id)} is not in the list of profiles`;
    }
  }
  return undefined;
}

// Decides if a record that the lists lack is really absent.

/**
 * A record is absent only if its account is listed, and if the caller would see the record.
 * @param seenWith each of these rights is enough to see every record; empty if every caller sees them
 * @param account name of its account; undefined if the account is certain
 */
export function whyAbsenceUnproven(
  seenWith: readonly Right[],
  snapshot: Snapshot,
  account?: string,
): UnprovenAbsence | undefined {
  const short = shortLists(snapshot);
  if (short !== undefined) return short;
  if (account !== undefined && snapshot.accountNamed(account) === undefined)
    return { blocksCreate: true, reason: `its account ${JSON.stringify(account)} is not listed` };
  return lackOfRights(snapshot, seenWith);
}

/** If the service refuses the list of a family, no record of the family is known to be absent. */
export function whyListIncomplete(family: string, snapshot: Snapshot): UnprovenAbsence | undefined {
  const refusal = snapshot.refused.get(family);
  return refusal && { blocksCreate: true, reason: `the service refuses the list: ${refusal.message}` };
}

/** Callers who may manage accounts see all accounts. */
export const ACCOUNTS_SEEN_WITH: readonly Right[] = ["realm.manage_accounts"];

/** Callers who may manage users or accounts see all user profiles. */
export const PROFILES_SEEN_WITH: readonly Right[] = ["user.manage_users", "realm.manage_accounts"];

function shortLists(snapshot: Snapshot): UnprovenAbsence | undefined {
  const missing = incompleteness(snapshot);
  return missing === undefined
    ? undefined
    : { blocksCreate: true, reason: `the lists are incomplete: ${missing}` };
}

/** One of the rights is enough. */
function lackOfRights(snapshot: Snapshot, rights: readonly Right[]): UnprovenAbsence | undefined {
  const answers = rights.map((right) => callerMay(snapshot, right));
  if (rights.length === 0 || answers.includes(true)) return undefined;
  const names = rights.join(" or ");
  return answers.includes(undefined)
    ? { blocksCreate: false, reason: `it is not known whether the caller has the right ${names}` }
    : { blocksCreate: true, reason: `the caller lacks the right ${names}, so it may exist unseen` };
}
