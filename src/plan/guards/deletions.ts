/** What a plan makes cease, and of how much. */
import type { Change } from "../change";
import type { Draft } from "../draft";
import { containerOf } from "./container";

/** Whether a record ceases by the change: one that is replaced does, too. */
export function ceases({ action }: Pick<Change, "action">): boolean {
  return action === "delete" || action === "replace";
}

/** The changes by which a record ceases, cascaded ones and tokens included. */
export function deletions(changes: readonly Change[]): readonly Change[] {
  return changes.filter(ceases);
}

/** How many records cease: an account takes along its primary profile, and the users in it that are not ours. */
export function countCeasing({ changes, contents }: Draft): number {
  const planned = deletions(changes).reduce((sum, change) => sum + (containerOf(change)?.records ?? 1), 0);
  return contents.reduce((sum, { others }) => sum + others, planned);
}

/** How many live records are ours, with all services taken together. */
export function ownedIn({ surveyed }: Draft): number {
  return surveyed.reduce((sum, { owned }) => sum + owned, 0);
}
