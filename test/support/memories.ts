/** Puts memories of objects into a ledger, as an apply would. */
import type { Ledger, ObjectDraft, RememberedObject } from "../../src/credentials";

/** @returns a promise where `fill` returns one */
export function remember<Result>(
  { memory }: Pick<Ledger, "memory">,
  object: RememberedObject,
  fill: (draft: ObjectDraft) => Result,
): Result {
  const draft = memory.draft(object);
  const result = fill(draft);
  if (!(result instanceof Promise)) draft.keep();
  return result instanceof Promise ? (result.then(() => draft.keep()) as Result) : result;
}
