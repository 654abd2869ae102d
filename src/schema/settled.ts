/**
 * The quick answer for an object that nobody changed. In a large plan nearly every object is one, and building its state only to
 * find nothing to do would cost more than downloading it.
 */
import { isObject, isUnknown, type ObjectValue, type Value } from "../values";
import type { Attribute, Attributes } from "./attribute";
import { locatedIn, type Located } from "./located";
import { isMasked } from "./mask";
import { shownValue } from "./read";
import { same } from "./same";
import { isVersionName } from "./version";

/**
 * Whether it is certain that planning the configuration against these records changes nothing. False means: plan it in full. What
 * answers hide, what only a memory of the past can tell (`unset`, versions of secrets) and unknowns all take the full way.
 *
 * @param remembersVersions whether a version of some secret is remembered: to declare none any more is a change
 */
export function isSettled(
  attributes: Attributes,
  config: ObjectValue,
  records: { readonly self: ObjectValue; readonly primary?: ObjectValue | undefined },
  remembersVersions: boolean,
): boolean {
  if (remembersVersions) return false;
  for (const name in config) {
    const declared = config[name] ?? null;
    if (declared === null) continue;
    const attribute = attributes[name];
    if (attribute === undefined || isUnknown(declared)) return false;
    if (attribute.shown) {
      const record = attribute.of === "primary" ? records.primary : records.self;
      if (record === undefined || !isMemberSettled(attribute, name, declared, record)) return false;
    } else if (name === "unset" || isVersionName(name)) {
      return false;
    }
  }
  return true;
}

const NOTHING: ObjectValue = {};

function isMemberSettled(attribute: Attribute, name: string, declared: Value, record: ObjectValue): boolean {
  const live = attribute.readPath === undefined ? record[name] : shownValue(attribute, name, record);
  const { shape } = attribute;
  if (shape.kind !== "group") {
    if (live === undefined || (attribute.masked && typeof live === "string" && isMasked(live))) return false;
    return live === declared || same(attribute, live, declared);
  }
  return isObject(live) && isObject(declared) && isGroupSettled(locatedIn(shape.attributes), declared, live);
}

function isGroupSettled(located: readonly Located[], declared: ObjectValue, live: ObjectValue): boolean {
  for (const { name, attribute, members, isManagedWhole, isPlain } of located) {
    const value = declared[name] ?? null;
    // Most members are rights, and stand there as they should.
    if (isPlain && (value ?? attribute.whenAbsent) === live[name]) continue;
    if (value !== null) {
      if (isUnknown(value)) return false;
      if (!attribute.shown) {
        if (isVersionName(name)) return false;
      } else if (!isMemberSettled(attribute, name, value, live)) return false;
    } else if (attribute.whenAbsent !== undefined) {
      if (!isMemberSettled(attribute, name, attribute.whenAbsent, live)) return false;
    } else if (isManagedWhole) {
      const inner = live[name];
      if (!isObject(inner) || !isGroupSettled(members, NOTHING, inner)) return false;
    }
  }
  return true;
}
