/** At most 5 records of a service cease in one run, or a quarter of what we own there up to 25; more needs `--max-deletes`. */
import { TooManyDeletes } from "../../errors";
import { countCeasing, tollsOf } from "./deletions";
import type { Guard } from "./guard";

const ALWAYS = 5;
const SHARE = 0.25;
const AT_MOST = 25;

export const limit: Guard = (draft) => {
  const { permits, destroy } = draft;
  const total = countCeasing(draft);
  if (permits.maxDeletes !== undefined) {
    return total <= permits.maxDeletes
      ? []
      : new TooManyDeletes({ count: total, allowed: permits.maxDeletes, total }).toDiagnostics();
  }
  if (destroy) return [];
  return tollsOf(draft).flatMap(({ origin, ceasing, owned }) => {
    // What is owned has to be counted only where it matters.
    if (ceasing <= ALWAYS) return [];
    const allowed = Math.max(ALWAYS, Math.min(AT_MOST, Math.floor(owned() * SHARE)));
    return ceasing <= allowed
      ? []
      : new TooManyDeletes({ count: ceasing, allowed, total, origin }).toDiagnostics();
  });
};
