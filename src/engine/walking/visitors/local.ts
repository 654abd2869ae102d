import type { LocalBlock } from "../../../stack";
import type { Walking } from "../walking";

export function visitLocal(block: LocalBlock, walking: Walking): void {
  const value = block.value.evaluate(walking.options.workspace.scope());
  walking.define(block, () => value);
}
