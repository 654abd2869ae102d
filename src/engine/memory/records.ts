/**
 * The store's records of live objects whose uuid does not prove that they are managed: objects that were imported, or that have a declared uuid.
 * An object that is no longer declared is deleted because of its record only if record and live object agree in every member.
 */
import type { Ledger, RecordedObject } from "../../credentials";
import { identityOf, recordDifference } from "../../ownership";
import type { IsRecorded, Resource } from "../../resources";
import type { Snapshot } from "../../service";
import { normalForm, type ObjectValue } from "../../lib/values";
import { depthOf, type ListedFamily, partsOfMemoryKey, rememberedRecord } from "../families";

/** Compares live records of a family with the store's records. */
export function recordedExactly(ledger: Ledger, resource: Resource): IsRecorded {
  return (key, self) => {
    const object = ledger.memory.recordedObject(rememberedRecord(resource, key, { self }));
    return object !== undefined && differenceFromRecord(object, { resource, self, ledger }) === undefined;
  };
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
