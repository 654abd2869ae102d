/** An object that is not listed is absent only to a caller who would see it; where its rights cannot be known, creates go ahead. */
import { AbsenceUnproven, placeOf } from "../../errors";
import { resources, type Snapshot } from "../../resources";
import { locatedIn } from "../../schema";
import { surveyOf } from "../draft";
import type { Change } from "../change";
import type { Guard } from "./guard";

export const unprovenAbsence: Guard = (draft) =>
  draft.changes.flatMap((change) => {
    const survey = change.action === "create" ? surveyOf(draft, change) : undefined;
    // Lists that are not whole have a guard of their own.
    if (survey === undefined || survey.incomplete !== undefined) return [];
    const why = unlistedReference(change, survey.snapshot) ?? reasonToDoubt(change, survey.snapshot);
    if (why === undefined) return [];
    const noun = change.description.noun;
    return new AbsenceUnproven(
      `${noun} "${change.title}" is not listed, and that proves nothing: ${why}`,
      placeOf(change),
    ).toDiagnostics();
  });

/** What lives in an object that the caller does not see may be there unseen. */
function unlistedReference({ description, after }: Change, snapshot: Snapshot): string | undefined {
  for (const { name, attribute } of locatedIn(description.attributes)) {
    const { refersTo } = attribute;
    const id = after?.[name];
    if (refersTo === undefined || typeof id !== "string") continue;
    const inventory = resources.get(`tenancy_${refersTo}`)?.inventory;
    if (inventory !== undefined && inventory.listed(id, snapshot) === undefined)
      return `its ${refersTo.replaceAll("_", " ")} ${id} is not listed`;
  }
  return undefined;
}

function reasonToDoubt({ description }: Change, snapshot: Snapshot): string | undefined {
  const doubt = resources.get(description.type)?.inventory?.doubt(undefined, snapshot);
  return doubt?.blocksCreate === true ? doubt.reason : undefined;
}
