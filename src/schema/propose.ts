/** The planned state of an object, from its configuration and its prior state. */
import { isObject, isUnknown, UNKNOWN, type ObjectValue, type Path, type Value } from "../values";
import type { Attribute, Attributes } from "./attribute";
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
 * group that is managed whole, what is not declared is planned as the description says (design: "What absent means").
 *
 * @param prior null for an object that is to be created
 */
export function propose(
  attributes: Attributes,
  config: ObjectValue,
  prior: ObjectValue | null,
  options: ProposeOptions = {},
): ObjectValue {
  const planned = proposeGroup(attributes, config, prior, [], false, options);
  return prior === null ? planned : withFollowers(attributes, prior, planned);
}

function proposeGroup(
  attributes: Attributes,
  config: ObjectValue | null,
  prior: ObjectValue | null,
  parent: Path,
  insideDeclared: boolean,
  options: ProposeOptions,
): ObjectValue {
  const planned: Record<string, Value> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const path = [...parent, name];
    planned[name] = proposeOne(attribute, config?.[name] ?? null, prior, name, path, insideDeclared, options);
  }
  return planned;
}

function proposeOne(
  attribute: Attribute,
  declared: Value,
  parentPrior: ObjectValue | null,
  name: string,
  path: Path,
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
    if (declared === null && !(whole && isManagedWhole(shape.attributes)))
      return withoutUnset(shape.attributes, before, path, options.unset);
    return proposeGroup(
      shape.attributes,
      isObject(declared) ? declared : null,
      isObject(before) ? before : null,
      path,
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
  attributes: Attributes,
  before: Value,
  path: Path,
  unset: ReadonlySet<string> | undefined,
): Value {
  if (!isObject(before) || unset === undefined || unset.size === 0) return before;
  let kept = before;
  for (const [name, { shape }] of Object.entries(attributes)) {
    const here = [...path, name];
    const value = before[name] ?? null;
    const after = unset.has(here.join("."))
      ? null
      : shape.kind === "group"
        ? withoutUnset(shape.attributes, value, here, unset)
        : value;
    if (after !== value) kept = { ...kept, [name]: after };
  }
  return kept;
}

/** Whether a group has members that mean something when they are absent. */
function isManagedWhole(attributes: Attributes): boolean {
  return Object.values(attributes).some(
    (member) =>
      member.whenAbsent !== undefined ||
      (member.shape.kind === "group" && isManagedWhole(member.shape.attributes)),
  );
}

/** Marks computed values unknown where a sibling that they follow changes. */
function withFollowers(attributes: Attributes, prior: ObjectValue, planned: ObjectValue): ObjectValue {
  const result: Record<string, Value> = { ...planned };
  const changes = (name: string): boolean => {
    const sibling = attributes[name];
    return sibling !== undefined && !same(sibling, prior[name], planned[name]);
  };
  for (const [name, attribute] of Object.entries(attributes)) {
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
