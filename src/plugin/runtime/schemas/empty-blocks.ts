import { emptyObject, isList, isObject, type ObjectValue, type Value } from "../../../values";
import { type Block, type NestedBlock } from "./schema";

/** The value with `[]` or `{}` where blocks are null or left out: no blocks are an empty collection, never null. */
export function withEmptyBlocks<V extends Value>(block: Block, value: V): V | ObjectValue {
  const blocks = Object.entries(block.blocks ?? {});
  if (blocks.length === 0 || !isObject(value)) return value;
  const result = Object.assign(emptyObject(), value);
  for (const [name, nested] of blocks) {
    result[name] = filled(nested, Object.hasOwn(value, name) ? (value[name] as Value) : null);
  }
  return result;
}

function filled({ nesting, block }: NestedBlock, value: Value): Value {
  if (nesting === "single" || nesting === "group") return withEmptyBlocks(block, value);
  if (value === null) return nesting === "map" ? emptyObject() : [];
  if (isList(value)) return value.map((element) => withEmptyBlocks(block, element));
  if (!isObject(value)) return value;
  const result = emptyObject();
  for (const [key, element] of Object.entries(value)) result[key] = withEmptyBlocks(block, element);
  return result;
}
