/** Whether a token is to be replaced by a new one: a change of `keepers`, in place. */
import { equal, isObject, isUnknown, isWhollyKnown, type ObjectValue } from "../../values";

/** Attributes that a new token has values of its own for. */
export const ROTATED = [
  "id",
  "serial",
  "access_token",
  "access_token_digest",
  "created_at",
  "previous",
] as const;

/** What is not known may turn out to be a change. No keepers are the same as empty ones. */
export function keepersDiffer(config: ObjectValue, prior: ObjectValue): boolean {
  const wanted = config["keepers"] ?? null;
  if (isUnknown(wanted) || !isWhollyKnown(wanted)) return true;
  const before = prior["keepers"];
  return !equal(isObject(wanted) ? { ...wanted } : {}, isObject(before) ? { ...before } : {});
}
