import { engines } from "../../package.json";
import { OldNode } from "../errors";
import { isAtLeast } from "../values";

const OLDEST = engines.node.replace(">=", "");

/**
 * @param version without a `v`: `20.18.1`
 * @throws OldNode
 */
export function requireNode(version: string): void {
  if (!isAtLeast(version, OLDEST)) throw new OldNode(OLDEST, version);
}
