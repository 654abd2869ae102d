import { isObject, type ObjectValue, type Path, type Value } from "../../../values";
import { type Attribute, type Attributes, type Block } from "./schema";
import { mapAttributes } from "./walk";

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
