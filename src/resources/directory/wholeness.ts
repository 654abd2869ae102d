/** Whether the lists of the service can be believed to be whole (design: Whole lists). */
import type { Snapshot } from "./snapshot";

const known = new WeakMap<Snapshot, { readonly missing: string | undefined }>();

/**
 * Lists are whole when the caller is in them (with a bearer token: its account, and a profile of that account), and every
 * `account_id` and `admin_profile_id` resolves.
 * @returns what is missing, or undefined where nothing is
 */
export function incompleteness(snapshot: Snapshot): string | undefined {
  let found = known.get(snapshot);
  if (found === undefined) {
    // Looked for once: every object that is created asks.
    found = { missing: callerMissing(snapshot) ?? danglingReference(snapshot) };
    known.set(snapshot, found);
  }
  return found.missing;
}

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
