/** Finds records that are mistaken for another one: with the same key or uuid, or with an id that was given again. */
import { type Finding, idGivenAgain } from "../problems";
import type { CommonRecord } from "../api";
import { identityOf, recordDifference } from "../ownership";
import type { Register } from "../service";
import { type ObjectValue, textOf } from "../lib/values";

/**
 * Another record that cannot be distinguished from this one: it has the same natural key in another Unicode form, or the same uuid.
 * A user who may choose both can make one, so neither gets any rights, and neither is deleted.
 * @param keys other records with the key, as {@link Register.sharing} finds them
 */
export function twinOf<T extends CommonRecord>(
  record: T,
  list: Register<T>,
  keys: readonly T[],
): T | undefined {
  const { uuid } = record;
  const ofUuid = typeof uuid === "string" ? list.sharing("uuid", uuid) : [];
  return [...keys, ...ofUuid].find((other) => other !== record);
}

/**
 * Warns where another record has the id of a known object by now, as after a restore of the service. The object itself is gone.
 * @param title name or login of the object
 */
export function goneWithId(
  noun: string,
  title: string,
  { live, prior }: { readonly live: ObjectValue; readonly prior: ObjectValue },
): Finding | undefined {
  const difference = recordDifference(identityOf(live), identityOf(prior));
  if (difference === undefined) return undefined;
  return idGivenAgain.at({ noun, key: title, id: textOf(live["id"]) ?? "unknown", difference });
}
