import { UNKNOWN, type ObjectValue } from "../../../values";
import { type Block } from "./schema";
import { mapAttributes } from "./walk";

/** What is proposed for a new object, with everything unknown that the provider has yet to compute. */
export function withComputedUnknown(block: Block, config: ObjectValue, proposed: ObjectValue): ObjectValue {
  return mapAttributes(block, proposed, config, (attribute, value, configured) =>
    attribute.computed && !attribute.writeOnly && value === null && (configured ?? null) === null
      ? UNKNOWN
      : value,
  );
}
