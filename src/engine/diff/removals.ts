/** Decides about the objects of `new Deletion(…)` and `new Release(…)`: finds the record, and the reason why it must not be deleted or released. */
import {
  type Finding,
  deletionOfUnmanaged,
  releasedAlready,
  releasedAndDeclared,
  removedAndDeclared,
  removedIsGone,
} from "../../problems";
import type { IsRecorded, LiveObject, LookupResult } from "../../resources";
import type { StackRelease, StackRemoval } from "../../stack";
import { normalForm } from "../../lib/values";
import { listedFamilies, type ListedFamily, rememberedRecord } from "../families";
import { isKnownRecord, recordedExactly } from "../entries/records";
import type { ReadTarget } from "../target";
import type { Declarations } from "./declarations";
import { idOfRecords } from "./record";

/** The object that a `new Deletion(…)` names. */
export interface RemovalTarget {
  readonly target: ReadTarget;
  readonly family: ListedFamily;
  /** Name or login. */
  readonly name: string;
  /** The record that has the id or serial number; where neither is given, the name. */
  readonly found: LookupResult;
  /** True if the record has the name, too. A record of another name is not deleted. */
  readonly isNamed: boolean;
}

/** @returns undefined where no target is that of its provider */
export function resolveRemoval(
  removal: Pick<StackRemoval, "account" | "login" | "provider"> & Partial<StackRemoval>,
  targets: readonly ReadTarget[],
): RemovalTarget | undefined {
  const target = targets.find(({ provider }) => provider === (removal.provider ?? "tenancy"));
  if (target === undefined) return undefined;
  const family = familyRemovedBy(removal);
  const { inventory } = family;
  const name = removal.account ?? removal.login ?? "";
  const isRecorded: IsRecorded = (key, self) => isKnownRecord(target.part, family.resource, key, self);
  const lookup = inventory.locateById(removal.id ?? removal.serial ?? name, target.snapshot, isRecorded);
  const isNamed = lookup.kind === "live" && inventory.textOf(lookup.key) === normalForm(name);
  return { target, family, name, found: lookup, isNamed };
}

/**
 * Decides whether the live record that `new Deletion(…)` means may be deleted.
 * @returns without a record if there is nothing to delete, or it may not be deleted
 */
export function removalOf(
  removal: StackRemoval,
  { target, family, name, found: lookup, isNamed }: RemovalTarget,
  declarations: Declarations,
): { readonly found: LiveObject | undefined; readonly findings: readonly Finding[] } {
  const { inventory } = family;
  const { type } = family.resource.description;
  const where = removal.path === undefined ? {} : { constructPath: removal.path };
  const nothing = (findings: readonly Finding[] = []) => ({ found: undefined, findings });
  if (declarations.toCreate(type, name) !== undefined) return nothing([removedAndDeclared.at(name, where)]);
  if (lookup.kind === "refused") return nothing(lookup.error.toFindings(where));
  if (lookup.kind !== "live") {
    const lookupByName = inventory.locateById(name, target.snapshot);
    // The id belongs to another record: the present bearer of the name was not meant, or the id is wrong.
    if (lookupByName.kind === "refused") return nothing(lookupByName.error.toFindings(where));
    if (lookupByName.kind === "live" && !mayGo(lookupByName, { target, family }))
      return nothing([
        deletionOfUnmanaged.at({ name, id: idOfRecords(lookupByName.records), isNamed: true }, where),
      ]);
    const isGone =
      inventory.unprovenAbsenceOf(lookup, target.snapshot) === undefined && target.incomplete === undefined;
    return nothing(isGone ? [removedIsGone.at(name, where)] : []);
  }
  const id = idOfRecords(lookup.records);
  if (!isNamed || !mayGo(lookup, { target, family }, removal))
    return nothing([deletionOfUnmanaged.at({ name, id, isNamed }, where)]);
  if (declarations.kept(type, id) !== undefined) return nothing([removedAndDeclared.at(name, where)]);
  return { found: lookup, findings: [] };
}

/** The stack reader has checked that exactly one member names the object. */
function familyRemovedBy(removal: Pick<StackRemoval, "account" | "login">): ListedFamily {
  return listedFamilies().find(
    ({ inventory: { removedBy } }) => removedBy !== undefined && removal[removedBy] !== undefined,
  )!;
}

/** A managed record, or one that the user identifies by its id. */
function mayGo(
  { records, key }: LiveObject,
  { target, family: { resource, inventory } }: Pick<RemovalTarget, "target" | "family">,
  { id, serial }: Partial<StackRemoval> = {},
): boolean {
  if (id !== undefined || serial !== undefined) return true;
  return recordedExactly(target.part, resource)(inventory.textOf(key), records.self);
}

/**
 * Decides whether the live record that `new Release(…)` means may be let go.
 * @returns with the key of the state's record, where it may
 */
export function releaseOf(release: StackRelease, target: ReadTarget, declarations: Declarations) {
  const resolved = resolveRemoval(release, [target]);
  if (resolved?.found.kind !== "live" || !resolved.isNamed) return { findings: [] } as const;
  const { family, found: live, name } = resolved;
  const where = release.path === undefined ? {} : { constructPath: release.path };
  const id = idOfRecords(live.records);
  const { type } = family.resource.description;
  const declaration = declarations.kept(type, id) ?? declarations.declaredRemoved(type, id);
  if (declaration !== undefined) return { findings: [releasedAndDeclared.at(name, where)] };
  const key = family.inventory.textOf(live.key);
  const { objects } = target.part;
  // The state may know it under a former name.
  const { key: recordedKey } =
    objects.recordWithId(id) ?? rememberedRecord(family.resource, key, live.records);
  if (!objects.isRecorded(recordedKey)) return { findings: [releasedAlready.at(name, where)] };
  return { released: { type, key, id, recordedKey }, findings: [] };
}
