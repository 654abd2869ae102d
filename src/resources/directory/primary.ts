/** The primary user profile of an account (spec 4.3). */
import type { AccountRecord, ProfileRecord } from "../../api";
import type { Snapshot } from "./snapshot";

export function primaryOf(account: AccountRecord, snapshot: Snapshot): ProfileRecord | undefined {
  return typeof account.admin_profile_id === "string"
    ? snapshot.profile(account.admin_profile_id)
    : undefined;
}

/** Whether a profile is the primary one of its account: by the account's word, or else by the login. */
export function isPrimary(profile: ProfileRecord, account: AccountRecord | undefined): boolean {
  if (account === undefined) return false;
  const id = account.admin_profile_id;
  if (typeof id === "string") return id === profile.id || id === profile.serial;
  return typeof profile.login === "string" && profile.login === account.name;
}
