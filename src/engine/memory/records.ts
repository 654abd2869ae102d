/**
 * The store's records of objects that applies have left. They are the only proof for an object whose uuid proves nothing: one that was
 * imported, or that has a declared uuid. An object that is no longer declared is deleted because of its record only if record and live object
 * agree in every member.
 */
import type { Ledger, RecordedObject } from "../../credentials";
import { identityOf, recordDifference } from "../../ownership";
import type { IsRecorded, Resource } from "../../resources";
import type { Snapshot } from "../../service";
import { normalForm, type ObjectValue, textOf } from "../../lib/values";
import { depthOf, type ListedFamily, memoryKeyOf, partsOfMemoryKey, rememberedRecord } from "../families";

/** Compares live records of a family with the store's records. */
export function recordedExactly(ledger: Ledger, resource: Resource): IsRecorded {
  return (key, self) => {
    const object = ledger.memory.recordedObject(rememberedRecord(resource, key, { self }));
    if (object === undefined || !isProof(object) || object.record.past === true) return false;
    return differenceFromRecord(object, { resource, self, ledger }) === undefined;
  };
}

/**
 * True if the store's record makes the live object a managed one, be it under the recorded name or under another one. An object that has got the name of
 * another recorded object is not that object, and does not get its access.
 */
export function isKnownRecord(
  { memory }: Ledger,
  resource: Resource,
  key: string,
  self: ObjectValue,
): boolean {
  const namesake = memory.recordAt(memoryKeyOf(resource, key));
  if (namesake !== undefined && recordDifference(identityOf(self), namesake, ["id"]) !== undefined)
    return false;
  const own = memory.recordedObject(rememberedRecord(resource, key, { self }));
  // A new record may have the uuid again, so a time of creation that differs is enough.
  if (own !== undefined && isProof(own) && isKnownAgain(self, own, ["ctime"])) return true;
  const formerRecord = memory.recordWithId(textOf(self["id"]) ?? "");
  if (formerRecord === undefined || partsOfMemoryKey(formerRecord.key).resource !== resource) return false;
  return formerRecord.key !== memoryKeyOf(resource, normalForm(key)) && isKnownAgain(self, formerRecord);
}

function isProof({ record }: RecordedObject): boolean {
  return record.proven !== true;
}

/** Id and serial number agree as far as both sides have them, and so does the uuid or the time of creation. */
function isKnownAgain(
  self: ObjectValue,
  { record }: RecordedObject,
  decisive: readonly ("id" | "ctime")[] = ["id"],
): boolean {
  // A record in the store that holds neither a serial number nor a time proves nothing.
  if (record.serial === undefined && record.ctime === undefined) return false;
  return recordDifference(identityOf(self), record, decisive) === undefined;
}

/** A live object that may be one that the store has recorded. */
export interface PossiblyRecordedObject {
  readonly family: ListedFamily;
  /** Natural key under which it is live. */
  readonly key: string;
  /** Key of the store's record. */
  readonly recordedKey: string;
  readonly self: ObjectValue;
  /** The difference from the stored record, as a clause. */
  readonly difference: string;
}

/** Live objects that may be recorded ones, and that differ in some member. A record that is proven to be another one is not among them. */
export function possiblyRecordedObjects(
  ledger: Ledger,
  snapshot: Snapshot,
): readonly PossiblyRecordedObject[] {
  return ledger.memory.recordedObjects().flatMap((object): readonly PossiblyRecordedObject[] => {
    const { resource, key } = partsOfMemoryKey(object.key);
    if (resource.kind === "token" || snapshot.refused.has(resource.description.name)) return [];
    const { inventory } = resource;
    const { records } = snapshot.listOf(resource.description.name);
    const self: ObjectValue | undefined =
      inventory.listed(object.record.id ?? "", snapshot) ??
      records.find((one) => normalForm(inventory.expectation({ self: one }).key ?? "") === key);
    if (self === undefined || recordDifference(identityOf(self), object.record) !== undefined) return [];
    const difference = differenceFromRecord(object, { resource, self, ledger });
    if (difference === undefined) return [];
    const liveKey = normalForm(inventory.expectation({ self }).key ?? key);
    return [{ family: { resource, inventory }, key: liveKey, recordedKey: object.key, self, difference }];
  });
}

const MEMBER_WORDS = {
  id: "id",
  serial: "serial number",
  uuid: "uuid",
  ctime: "time of creation",
  accountId: "account",
} as const;

/** Why a live record is not for certain the recorded one, as a clause; undefined where every member is there and equal. */
function differenceFromRecord(
  { key: memoryKey, record }: RecordedObject,
  {
    resource,
    self,
    ledger,
  }: { readonly resource: Resource; readonly self: ObjectValue; readonly ledger: Ledger },
): string | undefined {
  const { key, accountId } = resource.inventory?.expectation({ self }) ?? {};
  const live = { ...identityOf(self), key, accountId };
  const known = { ...record, key: partsOfMemoryKey(memoryKey).key, accountId: record.account_id };
  const isInAccount = depthOf(resource) > 0;
  for (const member of [
    "id",
    "serial",
    "uuid",
    "ctime",
    ...(isInAccount ? ["accountId" as const] : []),
  ] as const) {
    if ((known[member] ?? "") === "") return `the store has not recorded its ${MEMBER_WORDS[member]}`;
    if ((live[member] ?? "") === "") return `the service does not show its ${MEMBER_WORDS[member]}`;
  }
  const difference = recordDifference(live, known, ["id", "uuid", "ctime"]);
  if (difference !== undefined) return difference;
  const owner = ledger.otherOwnerOf(record.id ?? "");
  return owner === undefined ? undefined : `the owner ${JSON.stringify(owner)} has recorded it, too`;
}
