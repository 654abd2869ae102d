/**
 * Says if two readings are of one record. Names change, and a service that is restored from a backup gives ids again, so neither is enough.
 * Everything that knows a record again asks here: plans, applies, imports, the state, Terraform's plugin.
 */
import { isInteger, normalForm, type ObjectValue, textOf } from "../lib/values";

/** The members that a record keeps for its whole life (spec 2.1), as far as they are known, and its place. */
export interface RecordIdentity {
  readonly id?: string | undefined;
  readonly serial?: string | undefined;
  readonly uuid?: string | undefined;
  /** Milliseconds since epoch. */
  readonly ctime?: number | bigint | undefined;
  /** Text of the natural key: name of an account, login of a user profile. */
  readonly key?: string | undefined;
  /** Id of the account that it lives in. */
  readonly accountId?: string | undefined;
}

/** @param record an answer of the service, or a state. Its key and account are left out: they have other members in each family */
export function identityOf(record: ObjectValue): Omit<RecordIdentity, "key" | "accountId"> {
  const { id, serial, uuid, ctime = null } = record;
  return {
    id: textOf(id),
    serial: textOf(serial),
    uuid: textOf(uuid),
    ctime: isInteger(ctime) ? ctime : undefined,
  };
}

/**
 * Finds the reason why two readings are of two records. A value that one side does not know is not compared. The serial number decides, and so do
 * uuid and time of creation together; a uuid alone does not, since the service lets others change it. Key and account decide where both are known.
 * @param decisive members that decide alone, too
 * @returns a clause; undefined if nothing shows that they are two
 */
export function recordDifference(
  live: RecordIdentity,
  known: RecordIdentity,
  decisive: readonly ("id" | "uuid" | "ctime")[] = [],
): string | undefined {
  const differs = (member: keyof RecordIdentity) => {
    const [now, before] = [comparableMember(live, member), comparableMember(known, member)];
    return now !== undefined && before !== undefined && now !== before;
  };
  if (differs("serial")) return `its serial number is ${live.serial}, not ${known.serial}`;
  if (differs("ctime") && differs("uuid"))
    return `its uuid is ${live.uuid}, not ${known.uuid}, and it was created at another time`;
  const member = decisive.find(differs);
  if (member === "ctime") return "it was created at another time";
  if (member !== undefined) return `its ${member} is ${live[member]}, not ${known[member]}`;
  if (differs("key")) return `its name is ${JSON.stringify(live.key)} now`;
  if (differs("accountId")) return `it belongs to the account ${live.accountId} now`;
  return undefined;
}

/**
 * True if a live record is the known one: id and serial number agree as far as both sides have them, and so does the uuid or the time of
 * creation. Others may have changed its name and one of the two.
 */
export function belongsTo(live: RecordIdentity, known: RecordIdentity): boolean {
  const agrees = (member: keyof RecordIdentity) => {
    const [now, before] = [comparableMember(live, member), comparableMember(known, member)];
    return now === undefined || now === "" || before === undefined || before === ""
      ? undefined
      : now === before;
  };
  if (agrees("id") === false || agrees("serial") === false) return false;
  return agrees("uuid") === true || agrees("ctime") === true;
}

function comparableMember(record: RecordIdentity, member: keyof RecordIdentity): string | undefined {
  const value = record[member];
  if (typeof value !== "string") return value?.toString();
  return member === "uuid" ? value.toLowerCase() : member === "key" ? normalForm(value) : value;
}
