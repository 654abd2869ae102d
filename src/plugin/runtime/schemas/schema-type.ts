import { hasDynamic, type Type } from "../cty/type";
import { type Attribute, type Attributes, type Block, type NestedBlock } from "./schema";

const typesOfBlocks = new WeakMap<Block, Type>();

/** The type of the objects that a schema describes. */
export function typeOfBlock(block: Block): Type {
  const known = typesOfBlocks.get(block);
  if (known !== undefined) return known;
  const members = typesOfAttributes(block.attributes ?? {});
  for (const [name, nested] of Object.entries(block.blocks ?? {})) members[name] = typeOfNestedBlock(nested);
  const type: Type = ["object", members];
  typesOfBlocks.set(block, type);
  return type;
}

function typeOfAttribute(attribute: Attribute): Type {
  if (attribute.nested === undefined) return attribute.type;
  const object: Type = ["object", typesOfAttributes(attribute.nested.attributes)];
  return attribute.nested.nesting === "single" ? object : [attribute.nested.nesting, object];
}

function typesOfAttributes(attributes: Attributes): Record<string, Type> {
  const types = Object.create(null) as Record<string, Type>;
  for (const [name, attribute] of Object.entries(attributes)) types[name] = typeOfAttribute(attribute);
  return types;
}

function typeOfNestedBlock({ nesting, block }: NestedBlock): Type {
  const object = typeOfBlock(block);
  if (nesting === "single" || nesting === "group") return object;
  // Blocks whose types differ are no list and no map: core sends a tuple or an object, with its type.
  if (nesting !== "set" && hasDynamic(object)) return "dynamic";
  return [nesting, object];
}
