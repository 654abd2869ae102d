/** A stack that declares nothing, or would lose over half of what we own, is more likely a mistake than an intention. */
import { MassDeletion } from "../../errors";
import { countCeasing, ownedIn } from "./deletions";
import type { Guard } from "./guard";

export const massDeletion: Guard = (draft) => {
  const { permits, destroy, declaresNothing } = draft;
  if (destroy || permits.maxDeletes !== undefined) return [];
  const count = countCeasing(draft);
  if (count === 0) return [];
  if (declaresNothing) return new MassDeletion("the stack declares nothing", count).toDiagnostics();
  const owned = ownedIn(draft);
  return count * 2 > owned
    ? new MassDeletion(`that is over half of the ${owned} records that are ours`, count).toDiagnostics()
    : [];
};
