/** Marks objects that a plan cannot see: the caller may not read them, or the snapshot does not contain them (design: Complete lists). */
import { type Finding, listRefused, summariesLeft } from "../../problems";
import type { UnprovenAbsence } from "../../service";
import { formatPath, type Path } from "../../lib/values";
import { listedFamilies } from "../families";
import type { ReadTarget } from "../target";

/** The mark of a value whose change a plan could not see. */
export function lackingNote(path: Path): string {
  return `${formatPath(path)} is not known here: only the apply shows whether it changes`;
}

/** The mark of an object that may exist unseen, in plans and drift. */
export function mayExist({ reason }: Pick<UnprovenAbsence, "reason">): string {
  return `not verified: may exist: ${reason}`;
}

/** Lists that the service refuses: their objects are unknown, and nothing is deleted. */
export function refusedLists({ provider, snapshot }: ReadTarget): readonly Finding[] {
  return listedFamilies().flatMap(({ resource: { description } }) => {
    const refusal = snapshot.refused.get(description.name);
    if (refusal === undefined) return [];
    return [
      listRefused.at(
        { noun: description.noun, refusal: refusal.message },
        { address: `provider.${provider}` },
      ),
    ];
  });
}

/** Records of lists with summaries that were not read one by one. */
export function unreadSummaries({ provider, snapshot }: ReadTarget): readonly Finding[] {
  const records = [...snapshot.summaries];
  return records.length === 0 ? [] : [summariesLeft.at({ records }, { address: `provider.${provider}` })];
}
