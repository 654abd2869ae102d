/** At most 5 records cease in one run, or a quarter of what we own up to 25; more needs `--max-deletes`. */
import { TooManyDeletes } from "../../errors";
import { countCeasing, ownedIn } from "./deletions";
import type { Guard } from "./guard";

const ALWAYS = 5;
const SHARE = 0.25;
const AT_MOST = 25;

export const limit: Guard = (draft) => {
  const { permits, destroy } = draft;
  const count = countCeasing(draft);
  if (permits.maxDeletes !== undefined) {
    return count <= permits.maxDeletes ? [] : new TooManyDeletes(count, permits.maxDeletes).toDiagnostics();
  }
  // What is owned has to be counted only where it matters.
  if (destroy || count <= ALWAYS) return [];
  const allowed = Math.max(ALWAYS, Math.min(AT_MOST, Math.floor(ownedIn(draft) * SHARE)));
  return count <= allowed ? [] : new TooManyDeletes(count, allowed).toDiagnostics();
};
