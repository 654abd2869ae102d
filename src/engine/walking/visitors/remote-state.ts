import type { RemoteStateBlock } from "../../../stack";
import { UNKNOWN } from "../../../values";
import type { Walking } from "../walking";

/** The outputs of another stack of the app. */
export async function visitRemoteState(block: RemoteStateBlock, walking: Walking): Promise<void> {
  const { open, outputsOf } = walking.options;
  const isAsked = open !== undefined && walking.isSelected(block);
  const outputs = isAsked ? await outputsOf(block.stack) : UNKNOWN;
  walking.define(block, () => ({ outputs }));
}
