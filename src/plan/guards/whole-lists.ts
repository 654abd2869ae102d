/** No create and no delete from lists that may be short: what is missing from them may well exist. */
import { IncompleteLists } from "../../errors";
import { ceases } from "./deletions";
import type { Guard } from "./guard";

export const wholeLists: Guard = ({ changes, surveyed }) =>
  surveyed.flatMap(({ provider, origin, incomplete }) => {
    if (incomplete === undefined) return [];
    const atStake = changes.filter(
      (change) => change.provider === provider && (change.action === "create" || ceases(change)),
    );
    return atStake.length === 0
      ? []
      : new IncompleteLists(origin, incomplete, atStake.length).toDiagnostics();
  });
