/** An object that is not listed is absent only to a caller who would see it; where its rights cannot be known, creates go ahead. */
import { AbsenceUnproven } from "../../errors";
import { callerMay, type Snapshot } from "../../resources/directory";
import type { Right } from "../../resources/rights";
import { surveyOf } from "../draft";
import type { Change } from "../change";
import type { Guard } from "./guard";

export const unprovenAbsence: Guard = (draft) =>
  draft.changes.flatMap((change) => {
    const survey = change.action === "create" ? surveyOf(draft, change) : undefined;
    const why = survey === undefined ? undefined : reasonToDoubt(change, survey.snapshot);
    return why === undefined ? [] : new AbsenceUnproven(why, { address: change.address }).toDiagnostics();
  });

function reasonToDoubt(change: Change, snapshot: Snapshot): string | undefined {
  switch (change.description.name) {
    case "account":
      return lacks(snapshot, ["realm.manage_accounts"])
        ? `account "${change.key}" is not listed, but the caller lacks the right realm.manage_accounts, so it may exist unseen`
        : undefined;
    case "user_profile": {
      const accountId = change.after?.["account_id"];
      if (typeof accountId === "string" && snapshot.account(accountId) === undefined) {
        return `the account ${accountId} of the user "${change.key}" is not listed, so the user may exist unseen`;
      }
      return lacks(snapshot, ["user.manage_users", "realm.manage_accounts"])
        ? `user "${change.key}" is not listed, but the caller lacks the right user.manage_users, so it may exist unseen`
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether it is known that the caller has none of the rights. */
function lacks(snapshot: Snapshot, rights: readonly Right[]): boolean {
  return rights.every((right) => callerMay(snapshot, right) === false);
}
