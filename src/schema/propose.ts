/** Proposes the planned state of an object from its configuration and its prior state. */
import { isObject, isUnknown, type ObjectValue, onceForEach, UNKNOWN, type Value } from "../lib/values";
import type { Attributes } from "./attribute";
import { type Located, locatedIn } from "./description";
import { isEmpty, same } from "./diff";

/**
 * Plans each attribute: the declared value; where none is declared, the prior one, or unknown for a new object (design: Managed attributes).
 *
 * @param prior null for an object that is to be created
 */
export function propose(
  attributes: Attributes,
  config: ObjectValue,
  prior: ObjectValue | null,
  {
    unset,
  }: {
    /** Names of the attributes to be taken away: planned null if none is declared. */
    readonly unset?: ReadonlySet<string>;
  } = {},
): ObjectValue {
  const planned = proposeAll(locatedIn(attributes), config, prior, unset);
  return prior === null ? planned : withFollowers(attributes, prior, planned);
}

function proposeAll(
  located: readonly Located[],
  config: ObjectValue | null,
  prior: ObjectValue | null,
  unset: ReadonlySet<string> | undefined,
): ObjectValue {
  const planned: Record<string, Value> = { ...blank(located) };
  for (const one of located) planned[one.name] = proposeOne(one, config?.[one.name] ?? null, prior, unset);
  return planned;
}

/** Every attribute, null: V8 fills a copy of an object faster than it builds one, and a large plan proposes thousands of records. */
const blank = onceForEach((located: readonly Located[]): ObjectValue =>
  Object.fromEntries(located.map(({ name }) => [name, null])),
);

function proposeOne(
  { name, attribute, members }: Located,
  declaredValue: Value,
  siblings: ObjectValue | null,
  unset: ReadonlySet<string> | undefined,
): Value {
  if (attribute.writeOnly) return null;
  const before = siblings === null ? UNKNOWN : (siblings[name] ?? null);
  if (attribute.presence === "computed") return before;
  // A value in spite of `unset` comes from `ignore_changes`.
  if (declaredValue === null && unset?.has(name)) return null;
  if (attribute.shape.kind === "group" && isObject(declaredValue)) {
    // If an empty group is not live, its members will be null, not unknown.
    const prior = before === null && isEmpty(declaredValue) ? {} : before;
    return proposeAll(members, declaredValue, isObject(prior) ? prior : null, undefined);
  }
  if (declaredValue !== null) return declaredValue;
  if (attribute.defaultValue !== undefined) return attribute.defaultValue;
  return attribute.presence === "managed" ? before : null;
}

/** Marks computed values unknown where a sibling that they follow changes. */
function withFollowers(attributes: Attributes, prior: ObjectValue, planned: ObjectValue): ObjectValue {
  const result: Record<string, Value> = { ...planned };
  const changes = (name: string): boolean => {
    const sibling = attributes[name];
    return sibling !== undefined && !same(sibling, prior[name], planned[name]);
  };
  for (const { name, attribute } of locatedIn(attributes)) {
    const { shape } = attribute;
    const after = planned[name];
    if (shape.kind === "group" && isObject(after) && !isUnknown(after)) {
      const before = prior[name];
      result[name] = withFollowers(shape.attributes, isObject(before) ? before : {}, after);
    } else if (attribute.follows.some(changes)) {
      result[name] = UNKNOWN;
    }
  }
  return result;
}
