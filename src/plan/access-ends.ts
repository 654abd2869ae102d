/** Ends of access in a plan: the last day of granted access, access that has ended, and changed ends. */
import { ENDED_ACCESS, endedIn, endsIn, inEffect } from "../resources";
import type { ObjectValue } from "../lib/values";
import { accessEntry } from "./access-entry";
import { type AccessEntry, type Change, changeWith } from "./plan";
import { accessMarksOf, rightsBefore, rightsAfter } from "./rights";

/** The names of access in entries, and the attributes that decide about it. */
const ACCESS_ATTRIBUTES: Readonly<Record<string, "access_web" | "access_api">> = {
  "access.web": "access_web",
  "access.api": "access_api",
};

const ACCESS_WORDS: Readonly<Record<string, string>> = {
  "access.web": "web access",
  "access.api": "API access",
};

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
    if (one.effect === "grants") return { ...one, until: day, says: `${one.says} until ${day}` };
    return one.effect === "removes" && endedNames.has(end)
      ? { ...one, ended: day, says: `${one.says} (ended ${day})` }
      : one;
  });
  return [...dated, ...changedEnds(change)];
}

/** The name under which `ended` and the days hold the end of an entry. */
function endName({ kind, what }: AccessEntry): string | undefined {
  return kind === "right" ? what : kind === "access" ? ENDED_ACCESS : undefined;
}

/** Access that a user keeps, and whose end has changed. */
function changedEnds(change: Change): readonly AccessEntry[] {
  const { action, before, after, endless } = change;
  if (action !== "update" || before === null || after === null) return [];
  const [daysBefore, days] = [endsIn(before), endsIn(after)];
  const [rights, rightsNow] = [rightsBefore(change).grantedRights, rightsAfter(change).grantedRights];
  const [state, stateNow] = [inEffect(before), inEffect(after, before)];
  const entries: AccessEntry[] = [];
  const note = (what: string, name: string, end: string) => {
    const [was, day] = [daysBefore[end], days[end]];
    if (was === day) return;
    // A new end only removes access that the last apply left without an end. Other live access was granted outside, and needs approval.
    const isLater = day === undefined || (was === undefined ? endless?.has(what) !== true : was < day);
    const says =
      day === undefined
        ? `keeps ${name} without an end`
        : `keeps ${name} until ${day}${was === undefined ? "" : ` (was ${was})`}`;
    entries.push({
      ...accessEntry("end", what, isLater ? "grants" : "removes", says),
      marks: end === ENDED_ACCESS ? [] : accessMarksOf(what),
      ...(day !== undefined && { until: day }),
    });
  };
  for (const end of new Set([...Object.keys(daysBefore), ...Object.keys(days)]))
    if (end !== ENDED_ACCESS) {
      if (rights.has(end) && rightsNow.has(end)) note(end, end, end);
    } else
      for (const [what, flag] of Object.entries(ACCESS_ATTRIBUTES))
        if (state[flag] === true && stateNow[flag] === true) note(what, ACCESS_WORDS[what] ?? what, end);
  return entries;
}

/** True if an entry follows only from an end that was declared before. It needs no approval. */
export function isEndOfItself(entry: AccessEntry, { before }: Change): boolean {
  const end = endName(entry);
  return end !== undefined && entry.ended !== undefined && endsIn(before)[end] === entry.ended;
}
