/** A stack that declares nothing, or would lose over half of what we own, is more likely a mistake than an intention. */
import { MassDeletion } from "../../errors";
import { countCeasing } from "./deletions";
import type { Guard } from "./guard";

export const massDeletion: Guard = (draft) => {
  const { surveyed, permits, destroy, declaresNothing } = draft;
  if (destroy || permits.maxDeletes !== undefined) return [];
  const count = countCeasing(draft);
  if (count === 0) return [];
  const owned = surveyed.reduce((sum, survey) => sum + survey.owned, 0);
  if (declaresNothing) return new MassDeletion("the stack declares nothing", count).toDiagnostics();
  return count * 2 > owned
    ? new MassDeletion(`that is over half of the ${owned} records that are ours`, count).toDiagnostics()
    : [];
};
