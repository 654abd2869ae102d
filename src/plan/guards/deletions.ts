import type { Change } from "../change";

/** The changes by which a record ceases, cascaded ones and tokens included. */
export function deletions(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ action }) => action === "delete" || action === "replace");
}

/** How many records cease with a change: an account takes its primary profile along. */
export function recordsCeasing(change: Change): number {
  return change.description.name === "account" ? 2 : 1;
}
