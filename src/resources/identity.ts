/**
 * Says which record a reading is of. Names change, and a service that is restored from a backup gives ids again, so neither is enough. Both
 * engines ask here: the embedded one for plans and what the store remembers, Terraform's plugin for its state.
 */
import { type Finding, idGivenAgain } from "../problems";
import type { CommonRecord } from "../api";
import { seriesOf } from "../ownership";
import type { Register } from "../service";
import { isInteger, type ObjectValue, textOf } from "../lib/values";

/** The members that a record keeps for its whole life (spec 2.1), as far as they are known. */
export interface RecordIdentity {
  readonly id?: string | undefined;
  readonly serial?: string | undefined;
  readonly uuid?: string | undefined;
  /** Milliseconds since epoch. */
  readonly ctime?: number | bigint | undefined;
}

/** @param record an answer of the service, or a state */
export function identityOf(record: ObjectValue): RecordIdentity {
  const { id, serial, uuid, ctime = null } = record;
  return {
    id: textOf(id),
    serial: textOf(serial),
    uuid: textOf(uuid),
    ctime: isInteger(ctime) ? ctime : undefined,
  };
}

/**
 * Tells two records apart, whatever their ids. A uuid alone does not: the service lets others change it. What one side does not know is not
 * compared.
 * @returns what shows that they are two, as a clause; undefined where nothing does
 */
export function otherRecord(live: RecordIdentity, known: RecordIdentity): string | undefined {
  if (differ(live.serial, known.serial)) return `its serial number is ${live.serial}, not ${known.serial}`;
  if (!differ(live.ctime, known.ctime)) return undefined;
  if (!differ(live.uuid?.toLowerCase(), known.uuid?.toLowerCase())) return undefined;
  return `its uuid is ${live.uuid}, not ${known.uuid}, and it was created at another time`;
}

/**
 * Another record that cannot be told from this one: it has the same natural key in another Unicode form, or a uuid of the same series. Somebody
 * who may choose both can make one, so nothing is granted to either, and neither is deleted.
 * @param keys other records with the key, as {@link Register.sharing} finds them
 */
export function twinOf<T extends CommonRecord>(
  record: T,
  list: Register<T>,
  keys: readonly T[],
): T | undefined {
  const { uuid } = record;
  const ofUuid =
    typeof uuid === "string" ? [...list.sharing("uuid", uuid), ...list.ofSeries(seriesOf(uuid))] : [];
  return [...keys, ...ofUuid].find((other) => other !== record);
}

/** True if both are known, and not the same. */
export function differ<T>(live: T | undefined, known: T | undefined): boolean {
  return live !== undefined && known !== undefined && live !== known;
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
  const difference = otherRecord(identityOf(live), identityOf(prior));
  if (difference === undefined) return undefined;
  return idGivenAgain.at({ noun, key: title, id: textOf(live["id"]) ?? "unknown", difference });
}
