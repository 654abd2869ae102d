import { InvalidHandshake } from "./invalid-handshake";

/** What the runtime is tested with, and what it needs of Node's API. */
const OLDEST = [20, 18, 1] as const;

/**
 * @param version such as `20.18.1`.
 * @throws InvalidHandshake where it is too old.
 */
export function checkNodeVersion(version: string): void {
  const found = version.split(".").map(Number);
  const differing = OLDEST.findIndex((part, index) => part !== found[index]);
  if (differing < 0 || (found[differing] ?? 0) > (OLDEST[differing] ?? 0)) return;
  throw new InvalidHandshake(
    `This provider needs Node ${OLDEST.join(".")} or later; the one in use is ${version}`,
  );
}
