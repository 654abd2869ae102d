/** A token that was replaced stays good for the time that was told, whatever rotations follow. */
import { RetiresEarly, placeOf } from "../../errors";
import { endedEarly } from "../../resources";
import type { Guard } from "./guard";

export const earlyRetirement: Guard = ({ changes, permits, asOf }) => {
  if (permits.retireEarly) return [];
  return changes.flatMap((change) => {
    if (change.action !== "update" || change.description.name !== "authorization") return [];
    const ends = endedEarly(change.before, change.after, asOf);
    return ends.length === 0 ? [] : new RetiresEarly(change.title, ends, placeOf(change)).toDiagnostics();
  });
};
