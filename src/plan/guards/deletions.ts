import type { Change } from "../change";
import type { Draft } from "../draft";
import { containerOf } from "./container";

/** The changes by which a record ceases, cascaded ones and tokens included. */
export function deletions(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ action }) => action === "delete" || action === "replace");
}

/** How many records cease: an account takes along its primary profile, and the users in it that are not ours. */
export function countCeasing({ changes, contents }: Draft): number {
  const planned = deletions(changes).reduce((sum, change) => sum + (containerOf(change)?.records ?? 1), 0);
  return contents.reduce((sum, { others }) => sum + others, planned);
}
