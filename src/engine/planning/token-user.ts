/** A token is as good as its user: it ends with them, and is not the token of another who is made under the same login. */
import type { TokenEntry } from "../../credentials";
import { Forbidden } from "../../errors";
import { doubtOfUser } from "../../resources/authorization/refusal";
import type { Target } from "./target";

/** Whether it is certain that the user for whom the token was minted is no more. */
export function isUserGone(entry: TokenEntry, target: Pick<Target, "snapshot" | "unlisted">): boolean {
  return !target.unlisted.has(entry.record.serial) && isUserUnlisted(entry, target);
}

/** As far as the lists can tell. */
function isUserUnlisted({ login, record }: TokenEntry, { snapshot }: Pick<Target, "snapshot">): boolean {
  const profile = snapshot.profileWithLogin(login);
  if (profile === undefined) return doubtOfUser(login, snapshot) === undefined;
  const userId = record["user_id"] ?? null;
  if (userId === null || profile.id === undefined || profile.id === null) return false;
  return userId !== profile.id && userId !== profile.serial;
}

/**
 * The target, knowing which tokens have a user who is live without being listed: a record that is known by its id is absent only after a
 * look for that id (design: Whole lists). This costs a request for each token whose user seems to be gone.
 */
export async function withUnlistedUsers(target: Target): Promise<Target> {
  const { connection, ledger, snapshot } = target;
  const unlisted = new Set<string>();
  await Promise.all(
    ledger.tokens.list().map(async (entry) => {
      const userId = entry.record["user_id"];
      if (typeof userId !== "string" || snapshot.profileWithLogin(entry.login) !== undefined) return;
      if (isUserUnlisted(entry, target) && (await mayBeLive(connection, userId)))
        unlisted.add(entry.record.serial);
    }),
  );
  return unlisted.size === 0 ? target : { ...target, unlisted };
}

/** Who may not be looked at may be live. */
async function mayBeLive({ directory }: Target["connection"], userId: string): Promise<boolean> {
  try {
    return (await directory.profile(userId)) !== undefined;
  } catch (error) {
    if (error instanceof Forbidden) return true;
    throw error;
  }
}
