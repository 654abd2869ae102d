/**
 * Compares live objects with the result of the last apply and with the declaration, and classifies the origin of each difference: outside Tenancy, or
 * the declaration. Pure.
 */
import type { Diagnostic } from "../problems";
import {
  ENDED_ACCESS,
  endedIn,
  endNameOf,
  type Ends,
  inEffect,
  isRotatedByAge,
  rotationDay,
} from "../resources";
import type { AttributeChange, Records } from "../schema";
import {
  equal,
  groupedBy,
  isObject,
  isUnknown,
  type ObjectValue,
  type Path,
  startsWith,
  type Value,
} from "../lib/values";
import { isToken } from "./access";
import { type AppliedEntry, appliedValues, departuresOf } from "./applied-values";
import type { Change, Drift, DriftKind, UnmanagedUser, Target } from "./plan";
import { type ChangedPrivilege, isUndeclaredPrivilege } from "./privileges";

/** The differences between live, declared and last applied objects of one stack. */
export interface DriftReport {
  /** Its name. */
  readonly stack: string;
  /** The services that were looked at. */
  readonly targets: readonly Target[];
  /** `outside`: a value was changed outside Tenancy, or may have been. `declared`: only the declaration has changed. */
  readonly status: DriftStatus;
  /** Every difference. */
  readonly drift: readonly Drift[];
  /** Differences that the option `ignore` leaves out. */
  readonly ignored: readonly Drift[];
  /** Users in declared accounts whom this stack does not declare. They are drift if no stack declares them. */
  readonly unmanagedUsers: readonly UnmanagedUser[];
  /** Number of live declared objects that the state remembers nothing of: their undeclared attributes could not be compared. */
  readonly unremembered: number;
  /** Numbers of tokens that the service confirmed, refused, or neither. */
  readonly tokens: TokenCounts;
  /** Declared ends of access; web and API access of a user are one. */
  readonly ends: {
    /** Ends that have passed, of access that is still granted. */
    readonly overdue: number;
    /** Days until the next end, 0 on the last day; null where nothing ends. */
    readonly nextInDays: number | null;
  };
  /** Tokens with `rotate_after`. */
  readonly rotations: {
    /** Tokens that are due for rotation. */
    readonly due: number;
    /** Days until the next token is due; null where none will be. */
    readonly nextInDays: number | null;
  };
  /** Warnings of the check. */
  readonly warnings: readonly Diagnostic[];
  /** ISO 8601. */
  readonly checkedAt: string;
}

/** The kind of drift: none; a change outside, or one that may be; only declarations that are not applied yet. */
export type DriftStatus = "none" | "outside" | "declared";

/** Tokens of the state that were checked with the service. */
export interface TokenCounts {
  readonly checked: number;
  readonly refused: number;
  /** Tokens that end within the next seven days: tokens that a rotation has replaced, and tokens with a lifetime. */
  readonly expiring: number;
}

/** Differences by the object that they are of. */
export function driftByObject(drift: readonly Drift[]): readonly (readonly [Drift, ...Drift[]])[] {
  return [...groupedBy(drift, ({ provider, address }) => JSON.stringify([provider, address])).values()];
}

export function statusOf(drift: readonly Drift[]): DriftStatus {
  if (drift.some(({ kind }) => !FOLLOWING.has(kind))) return "outside";
  return drift.length > 0 ? "declared" : "none";
}

/** Kinds of drift that follow from declarations, some of them with time. They are not made outside Tenancy. */
const FOLLOWING: ReadonlySet<DriftKind> = new Set<DriftKind>(["declared", "ended", "due"]);

/** A live object, of which the change is planned. */
interface Compared {
  readonly change: Change;
  readonly config: ObjectValue;
  /** See {@link declarationOf}. */
  readonly declaration: ObjectValue | undefined;
  readonly records: Records;
}

/** The drift of a live, declared object since the apply that the entry is of. */
export function driftOfLive(comparison: Compared, entry: AppliedEntry): readonly Drift[] {
  const { config } = comparison;
  // The state has an entry of its own for these, which an apply does not renew.
  const outside = departures(comparison, entry).filter(({ path }) => !isUndeclaredPrivilege(config, path));
  return [...outside, ...driftOfDeclaration(comparison, entry, outside)];
}

/**
 * The differences that only the declaration made.
 * @param outside the differences made outside Tenancy
 */
export function driftOfDeclaration(
  { change, declaration }: Pick<Compared, "change" | "declaration">,
  entry: AppliedEntry | undefined,
  outside: readonly Drift[] = [],
): readonly Drift[] {
  const declarationDrift = [...dueRotations(change), ...declaredChanges(change, outside)];
  const followsFromEnd =
    change.attributes.length > 0 && change.attributes.every(({ path }) => path[0] === "ended");
  if (declarationDrift.length > 0 || followsFromEnd) return declarationDrift;
  if (change.action !== "none" && outside.length === 0) return [ofChange("declared", change)];
  const isUnknownThenOrNow = declaration === undefined || entry?.declaration === undefined;
  const remark = change.action === "none" ? NOTHING_TO_SEND : DECLARED_TOO;
  const isAlike = isUnknownThenOrNow || equal(entry.declaration, declaration);
  return isAlike ? [] : [ofChange("declared", change, { remark })];
}

const NOTHING_TO_SEND =
  "its declaration has changed, but no value at the service changes; the next full apply records it";

/** Remark for a value that was changed in both places: apply sends the declared one. */
const DECLARED_TOO = "its declaration has changed, too";

/** Undeclared privileges, a row each. */
export function driftOfPrivileges(change: Change, privileges: readonly ChangedPrivilege[]): readonly Drift[] {
  return privileges.map(({ path, from, to }) =>
    ofChange("privilege", change, {
      ...{ path, from, to },
      ...(from === undefined && { remark: "not verified: the state has lost what it remembered" }),
    }),
  );
}

/** The drift of a live object that is no longer declared and was retained. */
export function driftOfRetained(facts: ObjectFacts, records: Records, entry: AppliedEntry): readonly Drift[] {
  const { attributes } = facts.description;
  return departuresOf(attributes, entry.values, appliedValues(attributes, records)).map(
    ({ path, from, to }) => drift("changed", facts, { path, from, to }),
  );
}

/** The differences between live and declared values of unknown origin. */
export function unclassified(change: Change, remark: string): readonly Drift[] {
  return change.attributes
    .filter((one) => !isConsequence(one))
    .map(({ path, before, after }) =>
      ofChange("unclassified", change, {
        path,
        from: isUnknown(after) ? undefined : after,
        to: isUnknown(before) ? undefined : before,
        undone: true,
        remark,
      }),
    );
}

/**
 * Ended access that is still granted, a row each. The declaration may have another end by now, or none.
 * @param days the ends that count
 */
export function driftOfEnds(facts: ObjectFacts, overdue: readonly string[], days: Ends): readonly Drift[] {
  return overdue.map((name) =>
    drift("ended", facts, {
      path: name === ENDED_ACCESS ? ["access_until"] : ["permissions_until", name],
      from: days[name],
      to: days[name],
      undone: true,
    }),
  );
}

// Changes outside Tenancy: live values that differ from the result of the last apply.

function departures({ change, records }: Compared, entry: AppliedEntry): readonly Drift[] {
  const { attributes } = change.description;
  // Access that has ended since the last apply is no change outside Tenancy.
  const endedNames = endedIn(change.before);
  return departuresOf(attributes, entry.values, appliedValues(attributes, records)).flatMap(
    ({ path, leaf, from, to }) => {
      if (to === false && endedNames.includes(endNameOf(path))) return [];
      const undone =
        leaf === undefined
          ? isRightUndone(path, change)
          : change.attributes.some(
              (one) => !isConsequence(one) && (startsWith(one.path, path) || startsWith(path, one.path)),
            );
      return [ofChange("changed", change, { path, from, to, undone })];
    },
  );
}

function isRightUndone([name = "", right]: Path, { action, before, after }: Change): boolean {
  if (action !== "update" || before === null || after === null) return false;
  const [rights, rightsAfter] = [inEffect(before)[name] ?? null, inEffect(after, before)[name] ?? null];
  return grants(rights, String(right)) !== grants(rightsAfter, String(right));
}

function grants(rights: Value, right: string): boolean | undefined {
  if (isUnknown(rights)) return undefined;
  return isObject(rights) && rights[right] === true;
}

// Changes of the declaration: values that apply would write, and that are live as the last apply left them.

function declaredChanges(change: Change, outside: readonly Drift[]): readonly Drift[] {
  return change.attributes.flatMap((one): readonly Drift[] => {
    const { path, before, after } = one;
    if (isConsequence(one)) return [];
    // Ended access has rows of its own, see `driftOfEnds`.
    if (path[0] === "ended") return [];
    if (path[0] === "permissions_until") return endsDeclared(change, one, outside);
    if (path.length === 1 && isObject(before) && isObject(after) && one.attribute.codec !== undefined)
      return rightsDeclared(change, one, outside);
    const isOutside = outside.some((other) => startsWith(other.path, path) || startsWith(path, other.path));
    const from = isUnknown(before) ? undefined : before;
    return isOutside ? [] : [ofChange("declared", change, { path, from, to: after })];
  });
}

/** A right that was denied outside before its end has also lost its end. This is no change of the declaration. */
function endsDeclared(
  change: Change,
  { path, before, after }: AttributeChange,
  outside: readonly Drift[],
): readonly Drift[] {
  const [from, to] = [before, after].map((value) => (isObject(value) ? value : {}));
  return [...new Set([...memberNames(before), ...memberNames(after)])]
    .filter((right) => from?.[right] !== to?.[right])
    .filter((right) => !outside.some((other) => startsWith(["permissions", right], other.path)))
    .map((right) =>
      ofChange("declared", change, {
        path: [...path, right],
        from: from?.[right] ?? null,
        to: to?.[right] ?? null,
      }),
    );
}

/** A token that is due for rotation. Nothing of its declaration has changed. */
function dueRotations(change: Change): readonly Drift[] {
  const { before, after } = change;
  if (!isToken(change) || !isRotatedByAge(before, after)) return [];
  const day = rotationDay(after ?? {}, before ?? {});
  return [ofChange("due", change, { path: ["rotate_after"], from: day, to: day, undone: true })];
}

function rightsDeclared(
  change: Change,
  { path, before, after }: AttributeChange,
  outside: readonly Drift[],
): readonly Drift[] {
  const names = new Set([...memberNames(before), ...memberNames(after)]);
  return [...names]
    .filter((right) => grants(before, right) !== grants(after, right))
    .map((right): Path => [...path, right])
    .filter((right) => !outside.some((other) => startsWith(right, other.path)))
    .map((right) => {
      const name = String(right.at(-1));
      return ofChange("declared", change, {
        path: right,
        from: grants(before, name),
        to: grants(after, name),
      });
    });
}

function memberNames(value: Value): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}

/** A computed value that may change together with others is no change outside Tenancy. */
function isConsequence({ attribute, after }: AttributeChange): boolean {
  return attribute.presence === "computed" && isUnknown(after);
}

// Rows.

type ObjectFacts = Pick<
  Drift,
  "description" | "address" | "constructPath" | "provider" | "title" | "id" | "sensitive" | "live"
>;

type RowFacts = Partial<Pick<Drift, "path" | "from" | "to" | "undone" | "remark">>;

export function drift(kind: DriftKind, object: ObjectFacts, row: RowFacts = {}): Drift {
  const { path = [], from, to, undone = false, remark } = row;
  return { kind, ...object, path, from, to, undone, remark };
}

export function ofChange(kind: DriftKind, change: Change, row: RowFacts = {}): Drift {
  const { description, address, constructPath, provider, title, observedRecord, sensitive, before } = change;
  const object = { description, address, constructPath, provider, title, sensitive };
  return drift(kind, { ...object, id: observedRecord?.id, live: before }, row);
}
