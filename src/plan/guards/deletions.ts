/** What a plan makes cease, and of how much. */
import type { Change } from "../change";
import type { Draft, Surveyed } from "../draft";
import { containerOf } from "./container";

/** Whether a record ceases by the change: one that is replaced does, too. */
export function ceases({ action }: Pick<Change, "action">): boolean {
  return action === "delete" || action === "replace";
}

/** The changes by which a record ceases, cascaded ones and tokens included. */
export function deletions(changes: readonly Change[]): readonly Change[] {
  return changes.filter(ceases);
}

/** How many records cease: an account takes along its primary profile, and the users in it that no change is about. */
export function countCeasing({ changes, contents }: Pick<Draft, "changes" | "contents">): number {
  const planned = deletions(changes).reduce((sum, change) => sum + (containerOf(change)?.records ?? 1), 0);
  return contents.reduce((sum, { others }) => sum + others.length, planned);
}

/** What a plan makes cease at one service. */
export interface Toll {
  /** Names the service where the plan has several; undefined where it is the only one. */
  readonly origin: string | undefined;
  readonly ceasing: number;
  /** Counts the live records that are ours; aliases of one service see the same ones. */
  readonly owned: () => number;
}

/** By service, as one caller sees it: provider aliases of one service count as one. */
export function tollsOf({ changes, contents, surveyed }: Draft): readonly Toll[] {
  const services = new Map<string, Surveyed[]>();
  for (const survey of surveyed) {
    const service = JSON.stringify([survey.origin, survey.caller]);
    services.set(service, [...(services.get(service) ?? []), survey]);
  }
  return [...services.values()].map((surveys) => {
    const providers = new Set(surveys.map(({ provider }) => provider));
    const isHere = ({ provider }: { readonly provider: string }) => providers.has(provider);
    return {
      origin: services.size === 1 ? undefined : surveys[0]?.origin,
      ceasing: countCeasing({ changes: changes.filter(isHere), contents: contents.filter(isHere) }),
      owned: () => {
        const records = new Map(surveys.flatMap(({ owned }) => [...owned]));
        return [...records.values()].reduce((sum, count) => sum + count, 0);
      },
    };
  });
}
