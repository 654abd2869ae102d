/** A stack that declares nothing, or would lose over half of what we own at a service, is more likely a mistake than an intention. */
import { MassDeletion } from "../../errors";
import { countCeasing, tollsOf } from "./deletions";
import type { Guard } from "./guard";

export const massDeletion: Guard = (draft) => {
  const { permits, destroy, declaresNothing } = draft;
  if (destroy || permits.maxDeletes !== undefined) return [];
  const total = countCeasing(draft);
  if (total === 0) return [];
  if (declaresNothing) return new MassDeletion("the stack declares nothing", total, total).toDiagnostics();
  return tollsOf(draft).flatMap(({ origin, ceasing, owned }) => {
    const all = ceasing === 0 ? 0 : owned();
    if (ceasing * 2 <= all) return [];
    const where = origin === undefined ? "" : ` at ${origin}`;
    const why = `that is over half of the ${all} records that are ours${where}`;
    return new MassDeletion(why, ceasing, total).toDiagnostics();
  });
};
