import { engines } from "../../package.json";
import { OldNode } from "../errors";

const OLDEST = engines.node.replace(">=", "");

/**
 * @param version without a `v`: `20.18.1`
 * @throws OldNode
 */
export function requireNode(version: string): void {
  if (version.localeCompare(OLDEST, "en", { numeric: true }) < 0) throw new OldNode(OLDEST, version);
}
