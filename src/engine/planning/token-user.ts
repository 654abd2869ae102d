/** A token is as good as its user: it ends with them, and is not the token of another who is made under the same login. */
import type { TokenEntry } from "../../credentials";
import type { Snapshot } from "../../resources";
import { doubtOfUser } from "../../resources/authorization/refusal";

/** Whether it is certain that the user for whom the token was minted is no more. */
export function isUserGone({ login, record }: TokenEntry, snapshot: Snapshot): boolean {
  const profile = snapshot.profileWithLogin(login);
  if (profile === undefined) return doubtOfUser(login, snapshot) === undefined;
  const userId = record["user_id"] ?? null;
  if (userId === null || profile.id === undefined || profile.id === null) return false;
  return userId !== profile.id && userId !== profile.serial;
}
