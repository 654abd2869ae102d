import { isObject, type ObjectValue, type Path, type Value } from "../../../values";
import { type Attribute, type Block } from "./schema";
import { mapAttributes } from "./walk";

/** The value without what is write-only: core's proposals hold it, plans and states must not. */
export function withoutWriteOnly<V extends Value>(block: Block, value: V): V | ObjectValue {
  if (!isObject(value) || !hasWriteOnly(block)) return value;
  return mapAttributes(block, value, undefined, (attribute, member) => (attribute.writeOnly ? null : member));
}

/** Where the configuration sets write-only attributes. */
export function findWriteOnly(block: Block, config: ObjectValue): readonly Path[] {
  const found: Path[] = [];
  if (hasWriteOnly(block)) {
    mapAttributes(block, config, undefined, (attribute, value, _twin, path) => {
      if (attribute.writeOnly && value !== null) found.push(path);
      return value;
    });
  }
  return found;
}

const answers = new WeakMap<Block, boolean>();

function hasWriteOnly(block: Block): boolean {
  const known = answers.get(block);
  if (known !== undefined) return known;
  const found =
    Object.values(block.attributes ?? {}).some(isOrHasWriteOnly) ||
    Object.values(block.blocks ?? {}).some((nested) => hasWriteOnly(nested.block));
  answers.set(block, found);
  return found;
}

function isOrHasWriteOnly(attribute: Attribute): boolean {
  if (attribute.writeOnly) return true;
  return attribute.nested !== undefined && Object.values(attribute.nested.attributes).some(isOrHasWriteOnly);
}
