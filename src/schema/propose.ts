/** The planned state of an object, from its configuration and its prior state. */
import { isObject, isUnknown, UNKNOWN, type ObjectValue, type Value } from "../values";
import type { Attributes } from "./attribute";
import { isEmpty } from "./empty";
import { locatedIn, type Located } from "./located";
import { same } from "./same";

export interface ProposeOptions {
  /** Names of the attributes to be taken away: planned null where none is declared. */
  readonly unset?: ReadonlySet<string>;
}

/**
 * Plans each attribute: the declared value; where none is declared, the prior one, or unknown for a new object (design: What is
 * managed).
 *
 * @param prior null for an object that is to be created
 */
export function propose(
  attributes: Attributes,
  config: ObjectValue,
  prior: ObjectValue | null,
  { unset }: ProposeOptions = {},
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
  const planned: Record<string, Value> = {};
  for (const one of located) planned[one.name] = proposeOne(one, config?.[one.name] ?? null, prior, unset);
  return planned;
}

function proposeOne(
  { name, attribute, members }: Located,
  declared: Value,
  siblings: ObjectValue | null,
  unset: ReadonlySet<string> | undefined,
): Value {
  if (attribute.writeOnly) return null;
  const before = siblings === null ? UNKNOWN : (siblings[name] ?? null);
  if (attribute.presence === "computed") return before;
  // A value in spite of `unset` is one that `ignore_changes` has put there.
  if (declared === null && unset?.has(name)) return null;
  if (attribute.shape.kind === "group" && isObject(declared)) {
    // Of an empty group that is not live, nothing will be: its members are not unknown.
    const prior = before === null && isEmpty(declared) ? {} : before;
    return proposeAll(members, declared, isObject(prior) ? prior : null, undefined);
  }
  if (declared !== null) return declared;
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
