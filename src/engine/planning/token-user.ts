/** A token is as good as its user: it ends with them, and is not the token of another who is made under the same login. */
import type { TokenEntry } from "../../credentials";
import { doubtOfAccount, doubtOfProfile, type Snapshot } from "../../resources";
import { accountOf } from "../../resources/user-profile/login";

/** Whether it is certain that the user for whom the token was minted is no more. */
export function isUserGone({ login, record }: TokenEntry, snapshot: Snapshot): boolean {
  const profile = snapshot.profileWithLogin(login);
  if (profile === undefined) return isAbsent(login, snapshot);
  const userId = record["user_id"] ?? null;
  if (userId === null || profile.id === undefined || profile.id === null) return false;
  return userId !== profile.id && userId !== profile.serial;
}

function isAbsent(login: string, snapshot: Snapshot): boolean {
  const account = accountOf(login);
  if (snapshot.accountNamed(account) === undefined) return doubtOfAccount(snapshot) === undefined;
  return doubtOfProfile(account, snapshot) === undefined;
}
