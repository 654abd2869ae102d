/** Compares the privileges of declared objects with the remembered ones. */
import {
  type ChangedPrivilege,
  changedPrivileges,
  lostPrivileges,
  type Privileges,
  accessMarksOf,
  privilegeName,
  privilegesAfterApply,
  privilegesIn,
} from "../../plan";
import { type Finding, privilegesChanged, whereaboutsOf } from "../../problems";
import type { Records } from "../../schema";
import { type ObjectValue, plainText, stringifyJson, type Value } from "../../lib/values";
import type { PlannedObject } from "../planned-object";

/**
 * The privileges of a live object, and the remembered ones; undefined if no apply has seen the object.
 * @param config as {@link privilegesIn} takes it
 */
export function privilegesOf(
  { resource, lookup, remembered: rememberedObject, target, change }: PlannedObject,
  config?: ObjectValue,
): { readonly live: Privileges; readonly lastPrivileges: Privileges | undefined } | undefined {
  const { part } = target;
  if (resource.kind === "token" || lookup?.kind !== "live" || rememberedObject === undefined)
    return undefined;
  // A state that the run cannot open may remember them.
  if (part.isClosed) return undefined;
  const live = privilegesIn(resource.description.attributes, lookup.records, config);
  const lastPrivileges = part.objects.privilegesOf(rememberedObject);
  if (lastPrivileges !== undefined) return { live, lastPrivileges };
  // An object that is provably managed was written by an apply, which remembered its privileges, unless that apply did not end.
  const isLost = change.claim === "managed" && !part.objects.isPending(rememberedObject.key);
  return { live, lastPrivileges: isLost ? lostPrivileges(live) : undefined };
}

/** The undeclared privileges of an object that changed outside Tenancy or are not verified. */
export function changedPrivilegesOf(object: PlannedObject): readonly ChangedPrivilege[] {
  // Every plan asks this of every object. The rights of a user are many, and most users declare them.
  const { live, lastPrivileges } = privilegesOf(object, object.config) ?? {};
  if (live === undefined || lastPrivileges === undefined) return [];
  return changedPrivileges(object.config, live, lastPrivileges);
}

/**
 * The privileges to remember of an object after an apply.
 * @param writtenRecords records that the answer to a write shows. @default nothing was written
 */
export function privilegesLeftBy(object: PlannedObject, writtenRecords?: Records): Privileges | undefined {
  const { resource, config, change, remembered: rememberedObject, target, ends: endedDays } = object;
  const { objects } = target.part;
  const after =
    writtenRecords === undefined ? {} : privilegesIn(resource.description.attributes, writtenRecords);
  if (change.action === "create") return privilegesAfterApply(config, after);
  // A run that only removes ended access remembers nothing that the state has lost.
  const rememberedPrivileges = rememberedObject && objects.privilegesOf(rememberedObject);
  if (endedDays !== undefined)
    return rememberedPrivileges && privilegesAfterApply(config, after, rememberedPrivileges, endedDays);
  const before = privilegesOf(object);
  const { days } = (rememberedObject && objects.endsOf(rememberedObject)) ?? {};
  // An answer may show only the record that was written.
  return before && privilegesAfterApply(config, { ...before.live, ...after }, before.lastPrivileges, days);
}

/** Warnings of every plan, until each privilege is declared, changed back or accepted. */
export function warnChangedPrivileges(objects: readonly PlannedObject[], stack: string): readonly Finding[] {
  return objects.flatMap((object) => {
    const { change, block, instance } = object;
    const privileges = changedPrivilegesOf(object).map((one) => ({
      name: privilegeName(one.path),
      text: textOfPrivilege(one),
    }));
    if (privileges.length === 0) return [];
    const where = whereaboutsOf(block, instance.address);
    return [privilegesChanged.at({ stack, login: change.title, privileges }, where)];
  });
}

/** `permissions.vss.format_disks false -> true (destructive)`. */
function textOfPrivilege({ path, from = "not recorded", to }: ChangedPrivilege): string {
  const valueText = (value: Value) => plainText(typeof value === "string" ? value : stringifyJson(value));
  const marks = path.length > 1 && to === true ? accessMarksOf(String(path[1])) : [];
  return [
    `${plainText(privilegeName(path))} ${valueText(from)} -> ${valueText(to)}`,
    ...(marks.length === 0 ? [] : [`(${marks.join(", ")})`]),
  ].join(" ");
}
