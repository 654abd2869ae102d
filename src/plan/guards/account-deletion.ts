/** Accounts are deleted only when that was allowed: deleting one destroys a tenant's storage. */
import { AccountDeletionRefused, placeOf } from "../../errors";
import type { Change } from "../change";
import type { Draft, Permits } from "../draft";
import { containerOf } from "./container";
import { ceases } from "./deletions";
import type { Guard } from "./guard";

export const accountDeletion: Guard = (draft) =>
  draft.changes.flatMap((change) => {
    if (containerOf(change) === undefined || !ceases(change)) return [];
    return isAllowed(change, draft)
      ? []
      : new AccountDeletionRefused(change.title, placeOf(change)).toDiagnostics();
  });

/** Allowed by `deletion_protection = false` while declared, by `Removed`, or by the run's flag. */
function isAllowed(change: Change, draft: Draft): boolean {
  if (change.reason === "removed") return true;
  if (change.before?.["deletion_protection"] === false && change.reason !== "undeclared") return true;
  return permitsAccount(draft.permits, change.key);
}

/** Whether `--allow-account-deletion` covers the account. */
export function permitsAccount({ accountDeletion: permitted }: Permits, name: string): boolean {
  return typeof permitted === "boolean" ? permitted : permitted.includes(name);
}
