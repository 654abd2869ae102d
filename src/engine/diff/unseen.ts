/** Marks what only looks absent, because the caller may not see it (design: Complete lists). */
import type { TokenEntry } from "../../credentials";
import { doubtOfUser } from "../../resources";
import type { UnprovenAbsence } from "../../service";
import type { ReadTarget } from "../target";

/** How plans and drift mark it. */
export function notVerified({ reason }: Pick<UnprovenAbsence, "reason">): string {
  return `not verified: may exist: ${reason}`;
}

/** Why the user of a token may be live although no list shows the user; undefined where the lists decide. */
export function doubtOfTokensUser(
  { login, record }: TokenEntry,
  { snapshot, unlisted }: Pick<ReadTarget, "snapshot" | "unlisted">,
): UnprovenAbsence | undefined {
  if (snapshot.profileWithLogin(login) !== undefined) return undefined;
  if (unlisted.has(record.serial))
    return { blocksCreate: true, reason: "its user is live, and not in the list of profiles" };
  return doubtOfUser(login, snapshot);
}
