/** Decides by the store's records which live objects are managed. */
import type { Ledger, RecordedObject } from "../../credentials";
import { belongsTo, derivedUuid, identityOf, recordDifference } from "../../ownership";
import type { IsRecorded, Resource } from "../../resources";
import type { Snapshot } from "../../service";
import { normalForm, type ObjectValue, textOf } from "../../lib/values";
import { listedFamilies, memoryKeyOf, type ListedFamily, partsOfMemoryKey } from "../families";

/** In a run without a store, the recorded objects are the live ones whose uuids derive from the owner and their names. */
export function deriveRecords(
  { ledger, snapshot }: { readonly ledger: Ledger; readonly snapshot: Snapshot },
  owner: string,
): void {
  const objects = listedFamilies().flatMap(({ resource, inventory }) =>
    inventory
      .managed(snapshot, () => true)
      .flatMap(({ records: { self }, key }) => {
        const uuid = derivedUuid(owner, key);
        if (textOf(self["uuid"])?.toLowerCase() !== uuid) return [];
        const record = { ...identityOf(self), account_id: textOf(self["account_id"]) };
        return [{ key: memoryKeyOf(resource, inventory.textOf(key)), uuid, record }];
      }),
  );
  ledger.memory.derive(owner, objects);
}

/** Decides whether a live object may be deleted: record and live object agree in every member that both have, and in the name. */
export function recordedExactly({ memory }: Ledger, resource: Resource): IsRecorded {
  return (key, self) => {
    const name = memoryKeyOf(resource, normalForm(key));
    if (memory.isCreation(name, textOf(self["uuid"]) ?? "")) return true;
    const record = memory.recordAt(name);
    if (record === undefined || record.past === true) return false;
    return differenceFromRecord({ key: name, record }, resource, self) === undefined;
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
  const name = memoryKeyOf(resource, normalForm(key));
  if (memory.isCreation(name, textOf(self["uuid"]) ?? "")) return true;
  const namesake = memory.recordAt(name);
  if (namesake !== undefined) return belongsTo(identityOf(self), namesake);
  const former = memory.recordWithId(textOf(self["id"]) ?? "");
  if (former === undefined || partsOfMemoryKey(former.key).resource !== resource) return false;
  return belongsTo(identityOf(self), former.record);
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
    const difference = differenceFromRecord(object, resource, self);
    if (difference === undefined) return [];
    const liveKey = normalForm(inventory.expectation({ self }).key ?? key);
    return [{ family: { resource, inventory }, key: liveKey, recordedKey: object.key, self, difference }];
  });
}

/** Why a live record is not for certain the recorded one, as a clause; undefined if all members that both have agree, and they are enough. */
function differenceFromRecord(
  { key: memoryKey, record }: RecordedObject,
  resource: Resource,
  self: ObjectValue,
): string | undefined {
  const { key, accountId } = resource.inventory?.expectation({ self }) ?? {};
  const live = { ...identityOf(self), key, accountId };
  const known = { ...record, key: partsOfMemoryKey(memoryKey).key, accountId: record.account_id };
  const difference = recordDifference(live, known, ["id", "uuid", "ctime"]);
  if (difference !== undefined) return difference;
  if ((live.id ?? "") === "" || (known.id ?? "") === "") return "its id is not known for certain";
  return belongsTo(live, known)
    ? undefined
    : "neither its uuid nor its time of creation is known for certain";
}
