/** Says what a plan or a report on drift cannot know, because the state exists and cannot be opened. */
import { type Finding, stateClosed } from "../problems";
import type { Prune } from "./change";
import type { PlannedObject } from "./planned-object";
import type { Run } from "./run";

export function checkClosedState(
  objects: readonly PlannedObject[],
  prunes: readonly Prune[],
  { whyClosed }: Pick<Run, "whyClosed">,
): readonly Finding[] {
  if (whyClosed === undefined) return [];
  const closedObjects = objects.filter(({ target }) => target.part.isClosed);
  const tokens = closedObjects.filter(
    ({ resource, change }) => resource.kind === "token" && change.action !== "create",
  );
  const unproven = closedObjects.filter(
    ({ lookup }) => lookup?.kind === "live" && lookup.claim === "unmanaged",
  );
  return [
    stateClosed.at({
      reason: whyClosed.message,
      tokens: tokens.map(({ change }) => change.key),
      unproven: unproven.map(({ change }) => change.title),
      isDeleting: prunes.length > 0,
    }),
  ];
}
