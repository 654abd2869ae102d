/** Finds faults in a configuration, and in a provider author's answers. */
import { isList, isObject, isUnknown, type ObjectValue, type Path, type Value } from "../../values";
import { type Attribute, type Attributes, type Block, mapAttributes, same } from "./schema";

/**
 * Where a plan disagrees with the configuration: an attribute that the provider doesn't compute must be planned as
 * configured (or stay as it was, where the two mean the same), and only one that it computes may be planned where nothing
 * is configured. Core refuses such plans too, but blames without naming what the resource's author can look for.
 */
export function planFaults(
  block: Block,
  prior: Value,
  config: ObjectValue,
  planned: ObjectValue,
): readonly Path[] {
  // Core checks blocks: each of its nesting modes has rules of its own.
  return membersFaults(block.attributes ?? {}, prior, config, planned, []);
}

function membersFaults(
  attributes: Attributes,
  prior: Value,
  config: Value,
  planned: Value,
  path: Path,
): readonly Path[] {
  return Object.entries(attributes).flatMap(([name, attribute]) =>
    attributeFaults(attribute, member(prior, name), member(config, name), member(planned, name), [
      ...path,
      name,
    ]),
  );
}

function attributeFaults(
  attribute: Attribute,
  prior: Value,
  config: Value,
  planned: Value,
  path: Path,
): readonly Path[] {
  if (same(planned, config) || attribute.writeOnly) return [];
  if (same(planned, prior) && prior !== null && config !== null) return [];
  if (attribute.computed && (!attribute.optional || config === null)) return [];
  if (config !== null && attribute.nested !== undefined)
    return nestedFaults(attribute, prior, config, planned, path);
  return [path];
}

function nestedFaults(
  attribute: Attribute,
  prior: Value,
  config: Value,
  planned: Value,
  path: Path,
): readonly Path[] {
  const { nesting, attributes } = attribute.nested as NonNullable<Attribute["nested"]>;
  if (isUnknown(config)) return isUnknown(planned) ? [] : [path];
  if (planned === null || isUnknown(planned)) return [path];
  if (nesting === "single") return membersFaults(attributes, prior, config, planned, path);
  // Elements of sets cannot be paired.
  if (nesting === "set") return [];
  if (isList(config) && isList(planned)) {
    if (config.length !== planned.length) return [path];
    return config.flatMap((element, index) =>
      membersFaults(
        attributes,
        isList(prior) ? (prior[index] ?? null) : null,
        element,
        planned[index] ?? null,
        [...path, index],
      ),
    );
  }
  if (!isObject(config) || !isObject(planned)) return [path];
  const keys = Object.keys(config);
  if (keys.length !== Object.keys(planned).length) return [path];
  return keys.flatMap((key) =>
    Object.hasOwn(planned, key)
      ? membersFaults(attributes, member(prior, key), member(config, key), member(planned, key), [
          ...path,
          key,
        ])
      : [[...path, key]],
  );
}

function member(object: Value, name: string): Value {
  return isObject(object) && Object.hasOwn(object, name) ? (object[name] as Value) : null;
}

/** The value without what is write-only: core's proposals hold it, plans and states must not. */
export function withoutWriteOnly<V extends Value>(block: Block, value: V): V | ObjectValue {
  const part = writeOnlyPart(block);
  if (!isObject(value) || part === undefined) return value;
  return mapAttributes(part, value, undefined, (attribute, member) => (attribute.writeOnly ? null : member));
}

/** Where the configuration sets write-only attributes. */
export function findWriteOnly(block: Block, config: ObjectValue): readonly Path[] {
  const part = writeOnlyPart(block);
  const found: Path[] = [];
  if (part !== undefined) {
    mapAttributes(part, config, undefined, (attribute, value, _twin, path) => {
      if (attribute.writeOnly && value !== null) found.push(path);
      return value;
    });
  }
  return found;
}

const parts = new WeakMap<Block, Block | undefined>();

/** As much of a schema as leads to write-only attributes, so that nobody walks through the rest; undefined where nothing does. */
function writeOnlyPart(block: Block): Block | undefined {
  if (!parts.has(block)) parts.set(block, findPart(block));
  return parts.get(block);
}

function findPart(block: Block): Block | undefined {
  const attributes = attributesOfPart(block.attributes ?? {});
  const blocks = Object.entries(block.blocks ?? {}).flatMap(([name, nested]) => {
    const part = writeOnlyPart(nested.block);
    return part === undefined ? [] : [[name, { ...nested, block: part }] as const];
  });
  if (attributes === undefined && blocks.length === 0) return undefined;
  return { attributes: attributes ?? {}, blocks: Object.fromEntries(blocks) };
}

function attributesOfPart(attributes: Attributes): Attributes | undefined {
  const leading = Object.entries(attributes).flatMap(([name, attribute]): [string, Attribute][] => {
    if (attribute.writeOnly || attribute.nested === undefined)
      return attribute.writeOnly ? [[name, attribute]] : [];
    const nested = attributesOfPart(attribute.nested.attributes);
    return nested === undefined
      ? []
      : [[name, { ...attribute, nested: { ...attribute.nested, attributes: nested } }]];
  });
  return leading.length === 0 ? undefined : Object.fromEntries(leading);
}
