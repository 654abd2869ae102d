/** The rights that a user has before and after a change, and what a set of rights comes to. */
import { nearestPreset } from "../resources";
import {
  ALL_RIGHTS,
  DEFAULT_RIGHTS,
  DESTRUCTIVE_RIGHTS,
  impliedRights,
  PRIVILEGED_RIGHTS,
  RIGHT_GROUPS,
} from "../service";
import { compareText, isObject, isUnknown, type ObjectValue, type Value } from "../lib/values";
import type { AccessMark, Change } from "./plan";

interface Rights {
  readonly given: ReadonlySet<string>;
  /** Those that are not known to be given or not. */
  readonly open: ReadonlySet<string>;
  /** Those that the service gives where nothing is said of them. */
  readonly byDefault: ReadonlySet<string>;
  /** Whether nothing is known. */
  readonly unknown: boolean;
}

const GIVEN_BY_DEFAULT: ReadonlySet<string> = new Set(DEFAULT_RIGHTS);
const NO_RIGHTS: Rights = { given: new Set(), open: new Set(), byDefault: new Set(), unknown: false };

/** The rights of one user on both sides of a change. */
export interface RightsOfChange {
  readonly before: Rights;
  readonly after: Rights;
}

export function rightsOf(change: Change): RightsOfChange {
  return { before: rightsBefore(change), after: rightsAfter(change) };
}

export function rightsBefore({ action, before, granted }: Change): Rights {
  if (action === "create") return NO_RIGHTS;
  return {
    ...NO_RIGHTS,
    given: granted === undefined ? keysThat(before, (value) => value === true) : new Set(granted),
  };
}

export function rightsAfter(change: Change): Rights {
  const { action, after } = change;
  if (action === "delete") return NO_RIGHTS;
  const isNew = action === "create" || action === "replace";
  const held = isNew ? GIVEN_BY_DEFAULT : rightsBefore(change).given;
  if (leavesRightsOpen(change)) return { ...NO_RIGHTS, given: held, byDefault: isNew ? held : new Set() };
  const permissions = after?.["permissions"];
  if (isUnknown(permissions)) return { ...NO_RIGHTS, unknown: true };
  const given = keysThat(after, (value) => value === true);
  const open = keysThat(after, isUnknown);
  if (after?.["undeclared_rights"] !== "keep" || !isObject(permissions)) return { ...NO_RIGHTS, given, open };
  const kept = [...held].filter((right) => !Object.hasOwn(permissions, right));
  return { given: new Set([...given, ...kept]), open, byDefault: new Set(isNew ? kept : []), unknown: false };
}

function keysThat(state: ObjectValue | null, holds: (value: Value) => boolean): ReadonlySet<string> {
  const permissions = state?.["permissions"];
  const found = new Set<string>();
  if (isObject(permissions))
    for (const right in permissions) if (holds(permissions[right] ?? null)) found.add(right);
  return found;
}

/** The rights of a set that another set neither holds nor implies. */
export function rightsNotIn(rights: Iterable<string>, held: ReadonlySet<string>): readonly string[] {
  const implied = impliedRights((right) => held.has(right));
  return [...rights].filter((right) => !held.has(right) && !implied.has(right));
}

/** Whether nobody declares which rights a user has. */
export function leavesRightsOpen(change: Change): boolean {
  const { declared } = change;
  return declared !== undefined && !declared.has("permissions") && hasRights(change);
}

/** Whether it is an object that has rights: a user, or an account with its primary user. */
export function hasRights({ description }: Pick<Change, "description">): boolean {
  return Object.hasOwn(description.attributes, "permissions");
}

/** More differences than these tell less than the rights themselves. */
const MOST_DIFFERENCES = 4;

/** The nearest preset and the difference: `operator + vss.format_disks`; null where the rights are told better by themselves. */
export function presetText(rights: Iterable<string>): string | null {
  const held = new Set(rights);
  const { preset, more, fewer } = nearestPreset(held);
  const count = more.length + fewer.length;
  // A difference that is as long as the list itself tells less: one has to know the preset besides.
  if (count > MOST_DIFFERENCES || (count > 0 && count + 1 >= held.size)) return null;
  return [preset, ...more.map((right) => `+ ${right}`), ...fewer.map((right) => `- ${right}`)].join(" ");
}

export const NO_MARKS: readonly AccessMark[] = [];

/** How a right is marked. */
export function marksOf(right: string): readonly AccessMark[] {
  if (!DESTRUCTIVE_RIGHTS.has(right) && !PRIVILEGED_RIGHTS.has(right)) return NO_MARKS;
  return [
    ...(DESTRUCTIVE_RIGHTS.has(right) ? (["destructive"] as const) : []),
    ...(PRIVILEGED_RIGHTS.has(right) ? (["privileged"] as const) : []),
  ];
}

/** The marks of all rights that the service may grant, but for those that are denied. */
export function marksOfEveryRight(denied: readonly string[]): readonly AccessMark[] {
  const isGranted = (right: string) => !denied.includes(right);
  return [
    ...([...DESTRUCTIVE_RIGHTS].some(isGranted) ? (["destructive"] as const) : []),
    ...([...PRIVILEGED_RIGHTS].some(isGranted) ? (["privileged"] as const) : []),
  ];
}

/** Each right once, group by group as the API lists them; rights that this version does not know stand last in their group. */
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
