/** What differs between the prior and the planned state of an object, attribute by attribute. */
import { isObject, isUnknown, type ObjectValue, type Value } from "../values";
import type { Attribute, Attributes } from "./attribute";
import { locatedIn, type Located } from "./located";
import { same } from "./same";

/** One attribute that changes; a nested group is resolved into its members. */
export interface AttributeChange {
  readonly path: readonly string[];
  readonly attribute: Attribute;
  readonly before: Value;
  /** May be unknown. */
  readonly after: Value;
}

/** The attributes whose planned value is not the prior one, in the order of the description. */
export function diff(
  attributes: Attributes,
  prior: ObjectValue | null,
  planned: ObjectValue | null,
): readonly AttributeChange[] {
  const changes: AttributeChange[] = [];
  collect(locatedIn(attributes), prior, planned, changes);
  return changes;
}

function collect(
  located: readonly Located[],
  prior: ObjectValue | null,
  planned: ObjectValue | null,
  changes: AttributeChange[],
): void {
  for (const { name, path, attribute, members } of located) {
    const before = prior?.[name] ?? null;
    const after = planned?.[name] ?? null;
    if (same(attribute, before, after)) continue;
    // A group that is taken away is one change; one that is filled or altered is as many as it has members that change: of an empty
    // one, none.
    if (attribute.shape.kind === "group" && !isUnknown(before) && isObject(after))
      collect(members, isObject(before) ? before : null, after, changes);
    else changes.push({ path, attribute, before, after });
  }
}
