import { isAtLeast } from "../../../values";
import { InvalidHandshake } from "./invalid-handshake";

/** What the runtime is tested with, and what it needs of Node's API. */
const OLDEST = "20.18.1";

/**
 * @param version such as `20.18.1`.
 * @throws InvalidHandshake where it is too old.
 */
export function checkNodeVersion(version: string): void {
  if (isAtLeast(version, OLDEST)) return;
  throw new InvalidHandshake(`This provider needs Node ${OLDEST} or later; the one in use is ${version}`);
}
