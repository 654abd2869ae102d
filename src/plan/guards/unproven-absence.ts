/** An account is absent only to a caller who may manage accounts; where its rights cannot be known, creates go ahead. */
import { AbsenceUnproven } from "../../errors";
import { callerMay } from "../../resources/directory";
import { surveyOf } from "../draft";
import type { Guard } from "./guard";

export const unprovenAbsence: Guard = (draft) =>
  draft.changes.flatMap((change) => {
    if (change.action !== "create" || change.description.name !== "account") return [];
    const survey = surveyOf(draft, change);
    if (survey === undefined || callerMay(survey.snapshot, "realm.manage_accounts") !== false) return [];
    return new AbsenceUnproven(
      `account "${change.key}" is not listed, but the caller lacks the right realm.manage_accounts, so it may exist unseen`,
      { address: change.address },
    ).toDiagnostics();
  });
