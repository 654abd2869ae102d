/** Reading after a write, for a service that takes a moment to show what it did. */
import { setTimeout as sleep } from "node:timers/promises";

/** Waits before the second and the third look, in milliseconds. */
const PAUSES = [200, 800];

/**
 * Looks until nothing is amiss, three times at most.
 * @param first what the answer to the write showed; undefined where it showed nothing
 * @param isSettled whether what is seen is what was asked
 */
export async function readUntil<T>(
  first: T | undefined,
  look: () => Promise<T>,
  isSettled: (seen: T) => boolean,
): Promise<T> {
  let seen = first ?? (await look());
  for (const pause of PAUSES) {
    if (isSettled(seen)) return seen;
    await sleep(pause);
    seen = await look();
  }
  return seen;
}
