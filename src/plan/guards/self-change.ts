/** A run does not saw off the branch that it sits on: the user, account and token that it works with. */
import { SelfChange, placeOf } from "../../errors";
import { harmOf, isOwn, type Intention, type Self } from "../../resources/self-change";
import type { Change } from "../change";
import { surveyOf, type Draft } from "../draft";
import type { Guard } from "./guard";

export const selfChange: Guard = (draft) => {
  if (draft.permits.selfChange) return [];
  return draft.changes.flatMap((change) => {
    // These do no harm; and their states and differences are not even made, unless somebody asks for them.
    if (change.action === "none" || change.action === "create") return [];
    const intention = intentionOf(change, draft);
    const harm = harmOf(intention);
    if (harm === undefined) return [];
    const self = selfOf(change, draft);
    if (self === undefined || !isOwn(intention, self)) return [];
    const { what, attribute } = harm;
    const where = { ...placeOf(change), ...(attribute !== undefined && { attribute }) };
    return new SelfChange(change.title, what, where).toDiagnostics();
  });
};

function intentionOf(change: Change, { asOf }: Draft): Intention {
  const { description, action, sighting, before, after, attributes: changes } = change;
  return { kind: description.name, action, id: sighting?.id, before, after, changes, asOf };
}

function selfOf(change: Change, draft: Draft): Self | undefined {
  const survey = surveyOf(draft, change);
  if (survey === undefined) return undefined;
  const { snapshot, ownToken } = survey;
  return {
    snapshot,
    worksWith: ({ serial }) => ownToken !== undefined && serial === ownToken,
    mayBeAnyone: true,
  };
}
