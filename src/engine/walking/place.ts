import type { Whereabouts } from "../../errors";
import type { Block } from "../../stack";

/** Where findings about a block, or one of its instances, belong. */
export function placeOf(block: Block, address: string = block.address): Whereabouts {
  return "constructPath" in block && block.constructPath !== undefined
    ? { address, constructPath: block.constructPath }
    : { address };
}
