/** Ends of access in a plan: the last day of granted access, access that has ended, and changed ends. */
import { ENDED_ACCESS, endedIn, endsIn, inEffect } from "../resources";
import type { ObjectValue } from "../lib/values";
import { accessEntry } from "./access-entry";
import { NEVER } from "./approval-pairs";
import { type AccessEntry, type Change, changeWith, type Pair } from "./plan";
import { rightsBefore, rightsAfter } from "./rights";

/** The kinds of access, and the attributes that decide about them. */
const ACCESS_ATTRIBUTES = { web: "access_web", api: "access_api" } as const;

/** The change as it takes effect at the service: ended access is denied. */
export function effectiveChange(change: Change): Change {
  const { before, after } = change;
  if (!isEnding(before) && !isEnding(after)) return change;
  return changeWith(change, {
    before: before && inEffect(before),
    after: after && inEffect(after, before),
  });
}

function isEnding(state: ObjectValue | null): boolean {
  return Object.keys(endsIn(state)).length > 0;
}

/** The entries of a change with their ends, and an entry for each changed end. */
export function entriesWithEnds(entries: readonly AccessEntry[], change: Change): readonly AccessEntry[] {
  const { before, after } = change;
  if (!isEnding(before) && !isEnding(after)) return entries;
  const days = endsIn(after);
  const endedNames = new Set(endedIn(after));
  const dated = entries.map((one): AccessEntry => {
    const end = endName(one);
    const day = end === undefined ? undefined : days[end];
    if (end === undefined || day === undefined) return one;
    if (one.effect === "grants") return { ...one, thing: { ...one.thing, until: day } };
    return one.effect === "removes" && endedNames.has(end) ? { ...one, ended: day } : one;
  });
  return [...dated, ...changedEnds(change)];
}

/** The name under which `ended` and the days hold the end of an entry. */
function endName({ thing: { permission, access } }: AccessEntry): string | undefined {
  return typeof permission === "string" ? permission : access === undefined ? undefined : ENDED_ACCESS;
}

/** Access that a user keeps, and whose end has changed. */
function changedEnds(change: Change): readonly AccessEntry[] {
  const { action, before, after, endless } = change;
  if (action !== "update" || before === null || after === null) return [];
  const [daysBefore, days] = [endsIn(before), endsIn(after)];
  const [rights, rightsNow] = [rightsBefore(change).grantedRights, rightsAfter(change).grantedRights];
  const [state, stateNow] = [inEffect(before), inEffect(after, before)];
  const entries: AccessEntry[] = [];
  const note = (thing: Pair, what: string, end: string) => {
    const [was, day] = [daysBefore[end], days[end]];
    if (was === day) return;
    // A new end only removes access that the last apply left without an end. Other live access was granted outside, and needs approval.
    const isLater = day === undefined || (was === undefined ? endless?.has(what) !== true : was < day);
    const { thing: dated, ...entry } = accessEntry(isLater ? "grants" : "removes", thing, {
      from: was ?? NEVER,
    });
    entries.push({ ...entry, thing: { ...dated, until: day ?? NEVER } });
  };
  for (const end of new Set([...Object.keys(daysBefore), ...Object.keys(days)]))
    if (end !== ENDED_ACCESS) {
      if (rights.has(end) && rightsNow.has(end)) note({ permission: end }, end, end);
    } else
      for (const [access, flag] of Object.entries(ACCESS_ATTRIBUTES))
        if (state[flag] === true && stateNow[flag] === true) note({ access }, `access.${access}`, end);
  return entries;
}

/** True if an entry follows only from an end that was declared before. It needs no approval. */
export function isEndOfItself(entry: AccessEntry, { before }: Change): boolean {
  const end = endName(entry);
  return end !== undefined && entry.ended !== undefined && endsIn(before)[end] === entry.ended;
}
