/** A run does not saw off the branch that it sits on: the user, account and token that it works with. */
import { SelfChange } from "../../errors";
import { harmOf, isOwn, type Intention } from "../../resources";
import type { Change } from "../change";
import { surveyOf, type Draft } from "../draft";
import type { Guard } from "./guard";

export const selfChange: Guard = (draft) =>
  draft.permits.selfChange ? [] : draft.changes.flatMap((change) => findings(change, draft));

function findings(change: Change, draft: Draft): ReturnType<Guard> {
  const survey = surveyOf(draft, change);
  const intention = intentionOf(change);
  const harm = harmOf(intention);
  if (survey === undefined || harm === undefined) return [];
  if (!isOwn(intention, { snapshot: survey.snapshot, token: survey.ownToken })) return [];
  return new SelfChange(change.key, harm.what, { address: change.address }).toDiagnostics();
}

function intentionOf({ action, description, sighting, attributes, before }: Change): Intention {
  return { kind: description.name, action, id: sighting?.id, before, changes: attributes };
}
