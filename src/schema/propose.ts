/** The planned state of an object, from its configuration and its prior state. */
import { isObject, isUnknown, UNKNOWN, type ObjectValue, type Value } from "../values";
import type { Attributes } from "./attribute";
import { isEmpty } from "./empty";
import { locatedIn, type Located } from "./located";
import { same } from "./same";

export interface ProposeOptions {
  /** Paths that `unset` names: planned null. */
  readonly unset?: ReadonlySet<string>;
  /**
   * Top-level groups of which only the declared members are managed, although the group would be managed whole:
   * `permissions` under `undeclared_rights = "keep"`.
   */
  readonly keep?: ReadonlySet<string>;
}

/**
 * Plans each attribute: the declared value; where none is declared, the prior one, or unknown for a new object. In a declared
 * group that is managed whole, what is not declared is planned as the description says (design: What is managed).
 *
 * @param prior null for an object that is to be created
 */
export function propose(
  attributes: Attributes,
  config: ObjectValue,
  prior: ObjectValue | null,
  options: ProposeOptions = {},
): ObjectValue {
  const planned = proposeGroup(locatedIn(attributes), config, prior, false, options);
  return prior === null ? planned : withFollowers(attributes, prior, planned);
}

function proposeGroup(
  located: readonly Located[],
  config: ObjectValue | null,
  prior: ObjectValue | null,
  insideDeclared: boolean,
  options: ProposeOptions,
): ObjectValue {
  const planned: Record<string, Value> = {};
  for (const one of located) {
    planned[one.name] = proposeOne(one, config?.[one.name] ?? null, prior, insideDeclared, options);
  }
  return planned;
}

function proposeOne(
  { name, path, attribute, members, isManagedWhole }: Located,
  declared: Value,
  parentPrior: ObjectValue | null,
  insideDeclared: boolean,
  options: ProposeOptions,
): Value {
  if (attribute.writeOnly) return null;
  const before = parentPrior === null ? UNKNOWN : (parentPrior[name] ?? null);
  if (attribute.presence === "computed") return before;
  if (options.unset?.has(path.join("."))) return null;
  const { shape } = attribute;
  if (shape.kind === "group") {
    if (isUnknown(declared)) return UNKNOWN;
    const whole = insideDeclared && !options.keep?.has(String(path[0]));
    if (declared === null && !(whole && isManagedWhole)) return withoutUnset(members, before, options.unset);
    // Of an empty group that is not live, nothing will be: its members are not unknown.
    const prior = before === null && isEmpty(declared) ? {} : before;
    return proposeGroup(
      members,
      isObject(declared) ? declared : null,
      isObject(prior) ? prior : null,
      true,
      options,
    );
  }
  if (declared !== null) return declared;
  if (attribute.defaultValue !== undefined) return attribute.defaultValue;
  if (attribute.presence !== "managed") return null;
  if (insideDeclared && attribute.whenAbsent !== undefined && !options.keep?.has(String(path[0]))) {
    return attribute.whenAbsent;
  }
  return before;
}

/** A group that is not declared is kept, but for what `unset` names in it. */
function withoutUnset(
  located: readonly Located[],
  before: Value,
  unset: ReadonlySet<string> | undefined,
): Value {
  if (!isObject(before) || unset === undefined || unset.size === 0) return before;
  let kept = before;
  for (const { name, path, members } of located) {
    const value = before[name] ?? null;
    const after = unset.has(path.join(".")) ? null : withoutUnset(members, value, unset);
    if (after !== value) kept = { ...kept, [name]: after };
  }
  return kept;
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
    if (shape.kind === "group" && isObject(after)) {
      const before = prior[name];
      result[name] = withFollowers(shape.attributes, isObject(before) ? before : {}, after);
    } else if (attribute.follows.some(changes)) {
      result[name] = UNKNOWN;
    }
  }
  return result;
}
