/** A plan with unknowns, once the configuration is known. */
import { locatedIn, type Attributes } from "../../schema";
import { isObject, isWhollyKnown, type ObjectValue, type Value } from "../../values";

/** The planned values; where they are not known, or there are none, those of the same plan made anew. */
export function filled(
  attributes: Attributes,
  planned: ObjectValue | undefined,
  anew: ObjectValue,
): ObjectValue {
  if (planned === undefined) return anew;
  return chosen(attributes, planned, anew, (before, after) => (isWhollyKnown(before) ? before : after));
}

/** The state after a write: what was planned where that is known, what is live for the rest, and null for what not even the service told. */
export function settled(attributes: Attributes, planned: ObjectValue, live: ObjectValue): ObjectValue {
  return chosen(attributes, planned, live, (...values) => values.find(isWhollyKnown) ?? null);
}

/** One of two values for each attribute that is no group. */
function chosen(
  attributes: Attributes,
  planned: ObjectValue,
  other: ObjectValue,
  choose: (planned: Value, other: Value) => Value,
): ObjectValue {
  const result: Record<string, Value> = {};
  for (const { name, attribute } of locatedIn(attributes)) {
    const { shape } = attribute;
    const first = planned[name] ?? null;
    const second = other[name] ?? null;
    // A declared group stays one, also where the service shows nothing of it.
    result[name] =
      shape.kind === "group" && isObject(first)
        ? chosen(shape.attributes, first, isObject(second) ? second : {}, choose)
        : choose(first, second);
  }
  return result;
}
