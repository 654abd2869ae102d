/** Says what a plan or a report on drift cannot know, because the credential store exists and cannot be opened. */
import { type Finding, storeClosed } from "../problems";
import type { Prune } from "./change";
import type { PlannedObject } from "./planned-object";
import type { Run } from "./run";

export function checkClosedStore(
  objects: readonly PlannedObject[],
  prunes: readonly Prune[],
  { whyClosed }: Pick<Run, "whyClosed">,
): readonly Finding[] {
  if (whyClosed === undefined) return [];
  const closedObjects = objects.filter(({ target }) => target.ledger.isClosed);
  const tokens = closedObjects.filter(
    ({ resource, change }) => resource.kind === "token" && change.action !== "create",
  );
  const unproven = closedObjects.filter(
    ({ lookup }) => lookup?.kind === "live" && lookup.claim === "unmanaged",
  );
  return [
    storeClosed.at({
      reason: whyClosed.message,
      tokens: tokens.map(({ change }) => change.key),
      unproven: unproven.map(({ change }) => change.title),
      isDeleting: prunes.length > 0,
    }),
  ];
}
