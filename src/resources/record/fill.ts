/** A plan with unknowns, once the configuration is known. */
import { locatedIn, type Attributes } from "../../schema";
import { isObject, isUnknown, isWhollyKnown, type ObjectValue, type Value } from "../../values";

/** The planned values; where they are not known, or there are none, those of the same plan made anew. */
export function filled(
  attributes: Attributes,
  planned: ObjectValue | undefined,
  anew: ObjectValue,
): ObjectValue {
  if (planned === undefined) return anew;
  const result: Record<string, Value> = {};
  for (const { name, attribute } of locatedIn(attributes)) {
    const { shape } = attribute;
    const before = planned[name] ?? null;
    const after = anew[name] ?? null;
    // A declared group stays one, also where the service shows nothing of it.
    if (shape.kind === "group" && isObject(before))
      result[name] = filled(shape.attributes, before, isObject(after) ? after : {});
    else result[name] = isUnknown(before) || !isWhollyKnown(before) ? after : before;
  }
  return result;
}

/** The state after a write: what was planned where that is known, and what is live for the rest. */
export function settled(attributes: Attributes, planned: ObjectValue, live: ObjectValue): ObjectValue {
  const state = filled(attributes, planned, live);
  return withoutUnknowns(attributes, state);
}

/** What not even the service told. */
function withoutUnknowns(attributes: Attributes, state: ObjectValue): ObjectValue {
  const result: Record<string, Value> = {};
  for (const { name, attribute } of locatedIn(attributes)) {
    const { shape } = attribute;
    const value = state[name] ?? null;
    if (shape.kind === "group" && isObject(value)) result[name] = withoutUnknowns(shape.attributes, value);
    else result[name] = isWhollyKnown(value) ? value : null;
  }
  return result;
}
