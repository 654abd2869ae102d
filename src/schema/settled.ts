/**
 * The quick answer for an object that nobody changed. In a large plan nearly every object is one, and building its state only to
 * find nothing to do would cost more than downloading it.
 */
import { isObject, isUnknown, type ObjectValue, type Value } from "../values";
import type { Attribute, Attributes } from "./attribute";
import { isMasked } from "./mask";
import { shownValue } from "./read";
import { same } from "./same";
import { isVersionName } from "./version";

/**
 * Whether it is certain that planning the configuration against these records changes nothing. False means: plan it in full. What
 * answers hide, what only a memory of the past can tell (`unset`, versions of secrets), unknowns, and what the plan has something to
 * say of all take the full way.
 *
 * @param remembersVersions whether a version of some secret is remembered: to declare none any more is a change
 */
export function isSettled(
  attributes: Attributes,
  config: ObjectValue,
  records: { readonly self: ObjectValue; readonly primary?: ObjectValue | undefined },
  remembersVersions: boolean,
): boolean {
  if (remembersVersions || watched(attributes).some((name) => (config[name] ?? null) === null)) return false;
  for (const name in config) {
    const declared = config[name] ?? null;
    if (declared === null) continue;
    const attribute = attributes[name];
    if (attribute === undefined || isUnknown(declared)) return false;
    if (attribute.shown) {
      const record = attribute.of === "primary" ? records.primary : records.self;
      if (record === undefined || !isMemberSettled(attribute, name, declared, record, config)) return false;
    } else if (name === "unset" || isVersionName(name)) {
      return false;
    }
  }
  return true;
}

const watchedNames = new WeakMap<Attributes, readonly string[]>();

/** The attributes of which a plan speaks where they are not declared. */
function watched(attributes: Attributes): readonly string[] {
  let names = watchedNames.get(attributes);
  if (names === undefined) {
    names = Object.keys(attributes).filter((name) => attributes[name]?.watched);
    watchedNames.set(attributes, names);
  }
  return names;
}

function isMemberSettled(
  attribute: Attribute,
  name: string,
  declared: Value,
  record: ObjectValue,
  config: ObjectValue,
): boolean {
  const { shape, codec, masked } = attribute;
  if (codec !== undefined) return codec.fits(declared, record, config);
  const live = attribute.readPath === undefined ? record[name] : shownValue(attribute, name, record);
  if (shape.kind === "group")
    return isObject(live) && isObject(declared) && isGroupSettled(shape.attributes, declared, live);
  if (live === undefined || (masked && typeof live === "string" && isMasked(live))) return false;
  return live === declared || same(attribute, live, declared);
}

function isGroupSettled(attributes: Attributes, declared: ObjectValue, live: ObjectValue): boolean {
  for (const name in declared) {
    const value = declared[name] ?? null;
    if (value === null) continue;
    const attribute = attributes[name];
    if (attribute === undefined || isUnknown(value)) return false;
    if (attribute.shown && !isMemberSettled(attribute, name, value, live, declared)) return false;
  }
  return true;
}
