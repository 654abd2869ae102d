/** Decides by the state's records which live objects are managed. */
import type { StatePart, RecordedObject } from "../../state";
import { belongsTo, derivedUuid, identityOf, recordDifference } from "../../ownership";
import type { IsRecorded, Resource } from "../../resources";
import type { Snapshot } from "../../service";
import { normalForm, type ObjectValue, textOf } from "../../lib/values";
import { listedFamilies, objectKeyOf, type ListedFamily, partsOfObjectKey } from "../families";

/** In a run without a state, the recorded objects are the live ones whose uuids derive from the owner and their names. */
export function deriveRecords(
  { part, snapshot }: { readonly part: StatePart; readonly snapshot: Snapshot },
  owner: string,
): void {
  const objects = listedFamilies().flatMap(({ resource, inventory }) =>
    inventory
      .managed(snapshot, () => true)
      .flatMap(({ records: { self }, key }) => {
        const uuid = derivedUuid(owner, key);
        if (textOf(self["uuid"])?.toLowerCase() !== uuid) return [];
        const record = { account_id: textOf(self["account_id"]), ...identityOf(self) };
        return [{ key: objectKeyOf(resource, inventory.textOf(key)), uuid, record }];
      }),
  );
  part.objects.derive(owner, objects);
}

/** Decides whether a live object may be deleted: record and live object agree in every member that both have, and in the name. */
export function recordedExactly({ objects }: StatePart, resource: Resource): IsRecorded {
  return (key, self) => {
    const name = objectKeyOf(resource, normalForm(key));
    if (objects.isCreation(name, textOf(self["uuid"]) ?? "")) return true;
    const record = objects.recordAt(name);
    if (record === undefined || record.past === true) return false;
    return differenceFromRecord({ key: name, record }, resource, self) === undefined;
  };
}

/**
 * True if the state's record makes the live object a managed one, be it under the recorded name or under another one. An object that has got the name of
 * another recorded object is not that object, and does not get its access.
 */
export function isKnownRecord(
  { objects }: StatePart,
  resource: Resource,
  key: string,
  self: ObjectValue,
): boolean {
  const name = objectKeyOf(resource, normalForm(key));
  if (objects.isCreation(name, textOf(self["uuid"]) ?? "")) return true;
  const namesake = objects.recordAt(name);
  if (namesake !== undefined) return belongsTo(identityOf(self), namesake);
  const former = objects.recordWithId(textOf(self["id"]) ?? "");
  if (former === undefined || partsOfObjectKey(former.key).resource !== resource) return false;
  return belongsTo(identityOf(self), former.record);
}

/** A live object that may be one that the state has recorded. */
export interface PossiblyRecordedObject {
  readonly family: ListedFamily;
  /** Natural key under which it is live. */
  readonly key: string;
  /** Key of the state's record. */
  readonly recordedKey: string;
  readonly self: ObjectValue;
  /** The difference from the stored record, as a clause. */
  readonly difference: string;
}

/** Live objects that may be recorded ones, and that differ in some member. A record that is proven to be another one is not among them. */
export function possiblyRecordedObjects(
  part: StatePart,
  snapshot: Snapshot,
): readonly PossiblyRecordedObject[] {
  return part.objects.recordedObjects().flatMap((object): readonly PossiblyRecordedObject[] => {
    const { resource, key } = partsOfObjectKey(object.key);
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
  { key: objectKey, record }: RecordedObject,
  resource: Resource,
  self: ObjectValue,
): string | undefined {
  const { key, accountId } = resource.inventory?.expectation({ self }) ?? {};
  const live = { key, accountId, ...identityOf(self) };
  const known = { key: partsOfObjectKey(objectKey).key, accountId: record.account_id, ...record };
  const difference = recordDifference(live, known, ["id", "uuid", "ctime"]);
  if (difference !== undefined) return difference;
  if ((live.id ?? "") === "" || (known.id ?? "") === "") return "its id is not known for certain";
  return belongsTo(live, known)
    ? undefined
    : "neither its uuid nor its time of creation is known for certain";
}
