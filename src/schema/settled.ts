/**
 * The quick answer for an object that nobody changed. In a large plan nearly every object is one, and building its state only to
 * find nothing to do would cost more than downloading it.
 */
import { isObject, isUnknown, type ObjectValue, type Value } from "../values";
import type { Attribute, Attributes } from "./attribute";
import { isMasked } from "./mask";
import { shownValue } from "./read";
import { same } from "./same";

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
    } else if (name === "unset" || name.endsWith("_wo_version")) {
      return false;
    }
  }
  return true;
}

function isMemberSettled(attribute: Attribute, name: string, declared: Value, record: ObjectValue): boolean {
  const live = attribute.readPath === undefined ? record[name] : shownValue(attribute, name, record);
  const { shape } = attribute;
  if (shape.kind !== "group") {
    if (live === undefined || (attribute.masked && typeof live === "string" && isMasked(live))) return false;
    return live === declared || same(attribute, live, declared);
  }
  return isObject(live) && isObject(declared) && isGroupSettled(shape.attributes, declared, live);
}

function isGroupSettled(attributes: Attributes, declared: ObjectValue, live: ObjectValue): boolean {
  for (const { name, attribute, whole } of membersOf(attributes)) {
    const value = declared[name] ?? null;
    if (value !== null) {
      if (isUnknown(value)) return false;
      if (!attribute.shown) {
        if (name.endsWith("_wo_version")) return false;
      } else if (!isMemberSettled(attribute, name, value, live)) return false;
    } else if (attribute.whenAbsent !== undefined) {
      if (!isMemberSettled(attribute, name, attribute.whenAbsent, live)) return false;
    } else if (whole && attribute.shape.kind === "group") {
      const inner = live[name];
      if (!isObject(inner) || !isGroupSettled(attribute.shape.attributes, {}, inner)) return false;
    }
  }
  return true;
}

interface Member {
  readonly name: string;
  readonly attribute: Attribute;
  /** Whether it is a group in which absent members mean something. */
  readonly whole: boolean;
}

const members = new WeakMap<Attributes, readonly Member[]>();

function membersOf(attributes: Attributes): readonly Member[] {
  let list = members.get(attributes);
  if (list === undefined) {
    list = Object.entries(attributes).map(([name, attribute]) => ({
      name,
      attribute,
      whole: attribute.shape.kind === "group" && membersOf(attribute.shape.attributes).some(meansSomething),
    }));
    members.set(attributes, list);
  }
  return list;
}

function meansSomething({ attribute, whole }: Member): boolean {
  return whole || attribute.whenAbsent !== undefined;
}
