/** The rights of a user before and after a change, and the summary of a set of rights. */
import { inEffect, nearestPreset } from "../resources";
import {
  ALL_RIGHTS,
  DEFAULT_RIGHTS,
  DESTRUCTIVE_RIGHTS,
  impliedRights,
  isKnownRight,
  PRIVILEGED_RIGHTS,
  RIGHT_FORM,
  RIGHT_GROUPS,
} from "../service";
import { compareText, counted, isObject, isUnknown, type ObjectValue, type Value } from "../lib/values";
import type { AccessMark, Change } from "./plan";

interface RightSets {
  readonly grantedRights: ReadonlySet<string>;
  /** Rights of unknown status. */
  readonly open: ReadonlySet<string>;
  /** Rights that the service grants by default. */
  readonly byDefault: ReadonlySet<string>;
  /** True if none of the rights is known. */
  readonly unknown: boolean;
}

const RIGHTS_BY_DEFAULT: ReadonlySet<string> = new Set(DEFAULT_RIGHTS);
const NO_RIGHTS: RightSets = {
  grantedRights: new Set(),
  open: new Set(),
  byDefault: new Set(),
  unknown: false,
};

/** The rights of one user on both sides of a change. */
export interface RightsOfChange {
  readonly before: RightSets;
  readonly after: RightSets;
}

export function rightsOf(change: Change): RightsOfChange {
  return { before: rightsBefore(change), after: rightsAfter(change) };
}

export function rightsBefore({ action, before, granted: liveRights }: Change): RightSets {
  if (action === "create") return NO_RIGHTS;
  return {
    ...NO_RIGHTS,
    grantedRights:
      liveRights === undefined
        ? keysThat(before && inEffect(before), (value) => value === true)
        : new Set(liveRights),
  };
}

export function rightsAfter(change: Change): RightSets {
  const { action } = change;
  const after = change.after && inEffect(change.after, change.before);
  if (action === "delete") return NO_RIGHTS;
  const isNew = action === "create" || action === "replace";
  const startingRights = isNew ? RIGHTS_BY_DEFAULT : rightsBefore(change).grantedRights;
  const isOpen = leavesRightsOpen(change);
  const permissions = after?.["permissions"] ?? null;
  if (isUnknown(permissions) && !isOpen) return { ...NO_RIGHTS, unknown: true };
  const grantedRights = keysThat(after, (value) => value === true);
  const open = keysThat(after, isUnknown);
  if (!isOpen && (after?.["undeclared_rights"] !== "keep" || !isObject(permissions)))
    return { ...NO_RIGHTS, grantedRights, open };
  // A right whose end leaves is denied, so that it is among the named ones here.
  const isNamed = (right: string) => isObject(permissions) && Object.hasOwn(permissions, right);
  const keptRights = [...startingRights].filter((right) => !isNamed(right));
  return {
    grantedRights: new Set([...grantedRights, ...keptRights]),
    open,
    byDefault: new Set(isNew ? keptRights : []),
    unknown: false,
  };
}

function keysThat(state: ObjectValue | null, holds: (value: Value) => boolean): ReadonlySet<string> {
  const permissions = state?.["permissions"];
  const names = new Set<string>();
  if (isObject(permissions))
    for (const right in permissions) if (holds(permissions[right] ?? null)) names.add(right);
  return names;
}

/** The rights of a set that another set neither holds nor implies. */
export function rightsNotIn(rights: Iterable<string>, otherRights: ReadonlySet<string>): readonly string[] {
  const implied = impliedRights((right) => otherRights.has(right));
  return [...rights].filter((right) => !otherRights.has(right) && !implied.has(right));
}

/** True if the configuration does not declare the user's rights. */
export function leavesRightsOpen(change: Change): boolean {
  const { declared: declaredAttributes } = change;
  return declaredAttributes !== undefined && !declaredAttributes.has("permissions") && hasRights(change);
}

/** True for an object that has rights: a user, or an account with its primary user. */
export function hasRights({ description }: Pick<Change, "description">): boolean {
  return Object.hasOwn(description.attributes, "permissions");
}

/** With more differences than these, the list of rights itself is clearer. */
const MOST_DIFFERENCES = 8;

/** The number of rights in words. */
export function heldRights(rights: readonly string[] | undefined, noun = "right"): string {
  return rights === undefined ? `${noun}s not shown` : counted(rights.length, noun);
}

/** The nearest preset and the difference: `operator + vss.format_disks`; null where the rights are clearer by themselves. */
export function presetText(rights: Iterable<string>): string | null {
  const rightSet = new Set(rights);
  const { preset, more, fewer } = nearestPreset(rightSet);
  const count = more.length + fewer.length;
  // A difference that is as long as the list is less clear, because the reader also has to know the preset.
  if (count > MOST_DIFFERENCES || (count > 0 && count + 1 >= rightSet.size)) return null;
  return [preset, ...more.map((right) => `+ ${right}`), ...fewer.map((right) => `- ${right}`)].join(" ");
}

export const NO_ACCESS_MARKS: readonly AccessMark[] = [];
const UNKNOWN_RIGHT: readonly AccessMark[] = ["unknown right"];

/** The marks of one right. A right that this version does not know (`extra_rights`) may be dangerous, so it never goes without a mark. */
export function accessMarksOf(right: string): readonly AccessMark[] {
  if (!isKnownRight(right)) return RIGHT_FORM.test(right) ? UNKNOWN_RIGHT : NO_ACCESS_MARKS;
  return [
    ...(DESTRUCTIVE_RIGHTS.has(right) ? (["destructive"] as const) : []),
    ...(PRIVILEGED_RIGHTS.has(right) ? (["privileged"] as const) : []),
  ];
}

/** The marks of all rights that the service may grant, except denied ones. */
export function marksOfEveryRight(deniedRights: readonly string[]): readonly AccessMark[] {
  const isGranted = (right: string) => !deniedRights.includes(right);
  return [
    ...([...DESTRUCTIVE_RIGHTS].some(isGranted) ? (["destructive"] as const) : []),
    ...([...PRIVILEGED_RIGHTS].some(isGranted) ? (["privileged"] as const) : []),
  ];
}

/** Each right once, group by group as the API lists them; rights that this version does not know come last in their group. */
export function inOrderOfRights(rights: Iterable<string>): readonly string[] {
  const groups: readonly string[] = RIGHT_GROUPS;
  const known: readonly string[] = ALL_RIGHTS;
  const rank = (order: readonly string[], item: string) => {
    const index = order.indexOf(item);
    return index < 0 ? order.length : index;
  };
  const ranked = [...new Set(rights)].map((right) => ({
    right,
    group: rank(groups, right.slice(0, right.indexOf("."))),
    place: rank(known, right),
  }));
  return ranked
    .sort((a, b) => a.group - b.group || a.place - b.place || compareText(a.right, b.right))
    .map(({ right }) => right);
}
