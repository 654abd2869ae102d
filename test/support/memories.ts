/** Puts memories of objects into a part, as an apply would. */
import type { StatePart, ObjectDraft, RememberedObject } from "../../src/state";

/** @returns a promise where `fill` returns one */
export function remember<Result>(
  { objects }: Pick<StatePart, "objects">,
  object: RememberedObject,
  fill: (draft: ObjectDraft) => Result,
): Result {
  const draft = objects.draft(object);
  const result = fill(draft);
  if (!(result instanceof Promise)) draft.keep();
  return result instanceof Promise ? (result.then(() => draft.keep()) as Result) : result;
}
