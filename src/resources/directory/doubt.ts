/** Whether what is not in the lists is not there (design: Whole lists). */
import type { Doubt } from "../family";
import type { Right } from "../rights";
import { callerMay } from "./rights";
import type { Snapshot } from "./snapshot";
import { incompleteness } from "./wholeness";

/** An account is absent only to a caller who may manage accounts. */
export function doubtOfAccount(snapshot: Snapshot): Doubt | undefined {
  return shortLists(snapshot) ?? lackOfRights(snapshot, ["realm.manage_accounts"]);
}

/**
 * A user profile is absent only when its account is listed, to a caller who may manage users.
 * @param account name of its account; undefined where that is not in question
 */
export function doubtOfProfile(account: string | undefined, snapshot: Snapshot): Doubt | undefined {
  const short = shortLists(snapshot);
  if (short !== undefined) return short;
  if (account !== undefined && snapshot.accountNamed(account) === undefined)
    return { blocksCreate: true, reason: `its account ${JSON.stringify(account)} is not listed` };
  return lackOfRights(snapshot, ["user.manage_users", "realm.manage_accounts"]);
}

function shortLists(snapshot: Snapshot): Doubt | undefined {
  const missing = incompleteness(snapshot);
  return missing === undefined
    ? undefined
    : { blocksCreate: true, reason: `the lists are incomplete: ${missing}` };
}

/** One of the rights is enough. */
function lackOfRights(snapshot: Snapshot, rights: readonly Right[]): Doubt | undefined {
  const held = rights.map((right) => callerMay(snapshot, right));
  if (held.includes(true)) return undefined;
  const names = rights.join(" or ");
  return held.includes(undefined)
    ? { blocksCreate: false, reason: `it is not known whether the caller has the right ${names}` }
    : { blocksCreate: true, reason: `the caller lacks the right ${names}, so it may exist unseen` };
}
