/**
 * Takes from live records the values of an object after an apply: every value that the service shows, in one form. Also lists the values that the
 * service does not show, so the state has to remember the sent value.
 */
import {
  type Attribute,
  type Attributes,
  diff,
  isMasked,
  lastValue,
  type Located,
  locatedIn,
  type Records,
  shownValue,
} from "../schema";
import { ALL_RIGHTS } from "../service";
import {
  compareText,
  formatPath,
  isList,
  isObject,
  isUnknown,
  isWhollyKnown,
  type ObjectValue,
  onceForEach,
  type Path,
  startsWith,
  stringifyJson,
  textOf,
  type Value,
  valueAt,
} from "../lib/values";

/** The entry of one object after the last apply. */
export interface AppliedEntry {
  /** The values that the service showed, by attribute path. A value that it did not show is absent. */
  readonly values: ObjectValue;
  /** Null if the apply left the object in place although it was no longer declared; undefined if not every value was known. */
  readonly declaration: ObjectValue | null | undefined;
}

/** A value that the service shows. */
export interface Leaf {
  readonly name: string;
  readonly path: Path;
  readonly attribute: Attribute;
  /** The attributes that contain it, outermost first. */
  readonly parents: readonly Located[];
}

const PERMISSIONS = "permissions";

/** The values of a family's objects that a service can show. */
export const leavesOf = onceForEach((attributes: Attributes) => leavesIn(locatedIn(attributes), []));

function leavesIn(located: readonly Located[], parents: readonly Located[]): readonly Leaf[] {
  return located.flatMap((one): readonly Leaf[] => {
    const { attribute, path, members } = one;
    if (!attribute.shown || attribute.writeOnly) return [];
    return attribute.shape.kind === "group"
      ? leavesIn(members, [...parents, one])
      : [{ name: formatPath(path), path, attribute, parents }];
  });
}

/** Paths of the values at these paths or inside them. */
export function leavesWithin(attributes: Attributes, paths: readonly Path[]): readonly Path[] {
  if (paths.length === 0) return [];
  return leavesOf(attributes).flatMap(({ path }) =>
    paths.some((one) => startsWith(path, one)) ? [path] : [],
  );
}

/** Declared values that an answer masks or leaves out, so the state has to remember the sent value. */
export function hiddenPaths(attributes: Attributes, config: ObjectValue, records: Records): readonly Path[] {
  return leavesOf(attributes).flatMap((leaf) => {
    const isDeclared = valueAt(config, leaf.path) !== null;
    return isDeclared && isHidden(leaf.attribute, shownOf(leaf, records, null)) ? [leaf.path] : [];
  });
}

/**
 * Values that are neither declared nor in the answers. They are remembered as null, so a later declaration is a change: a value that was never sent
 * does not count as declared.
 */
export function absentPaths(attributes: Attributes, config: ObjectValue, records: Records): readonly Path[] {
  return leavesOf(attributes).flatMap((leaf) => {
    const outer = leaf.parents[0]?.attribute ?? leaf.attribute;
    const isComputed = [leaf, ...leaf.parents].some(({ attribute }) => attribute.presence === "computed");
    // A record that is not known says nothing of its values.
    if (isComputed || records[outer.of] === undefined || valueAt(config, leaf.path) !== null) return [];
    return shownOf(leaf, records, undefined) === undefined ? [leaf.path] : [];
  });
}

/** True if the service masks a value, or leaves it out. */
export function isHidden({ masked }: Attribute, live: Value | undefined): boolean {
  return live === undefined || (masked && typeof live === "string" && isMasked(live));
}

/**
 * Values that a write of these paths changes and that may be hidden afterwards: the service masks them, leaves them out, or does not show their group yet.
 */
export function unseenPaths(
  attributes: Attributes,
  records: Records,
  writtenPaths: readonly Path[],
): readonly Path[] {
  return leavesOf(attributes).flatMap((leaf) => {
    const { path, attribute, parents } = leaf;
    if (!writtenPaths.some((one) => startsWith(path, one) || startsWith(one, path))) return [];
    const live = shownOf(leaf, records, null);
    const isUnseen = attribute.masked || live === undefined || (live === null && parents.length > 0);
    return isUnseen ? [path] : [];
  });
}

/** The values that live records show, by attribute path. */
export function appliedValues(attributes: Attributes, records: Records): ObjectValue {
  const values: Record<string, Value> = {};
  for (const leaf of leavesOf(attributes)) {
    const value = shownOf(leaf, records, null);
    if (value !== undefined) values[leaf.name] = canonical(leaf.attribute, value);
  }
  return values;
}

/**
 * The values after a write whose answer shows only a part of the object: unwritten values do not change.
 * @param before as the plan saw it
 * @param writtenPaths paths of the written values
 */
export function appliedValuesAfter(
  attributes: Attributes,
  records: Records,
  before: Records,
  writtenPaths: readonly Path[],
): ObjectValue {
  const unwritten = Object.entries(appliedValues(attributes, before)).filter(([name]) => {
    const path = leavesOf(attributes).find((leaf) => leaf.name === name)?.path ?? [];
    return !writtenPaths.some((one) => startsWith(path, one) || startsWith(one, path));
  });
  return { ...Object.fromEntries(unwritten), ...appliedValues(attributes, records) };
}

/** The values that differ, as far as the service has shown them then and now. Rights differ one by one; such a right has no leaf. */
export function departuresOf(
  attributes: Attributes,
  then: ObjectValue,
  now: ObjectValue,
): readonly {
  readonly path: Path;
  readonly leaf: Leaf | undefined;
  readonly from: Value;
  readonly to: Value;
}[] {
  const differing = leavesOf(attributes).filter(({ name, attribute }) => {
    const verdict = diff(attribute, then[name], now[name], lastValue(then[name]));
    return verdict === "put back" || verdict === "update";
  });
  const values = differing.map((leaf) => ({
    path: leaf.path,
    leaf,
    from: then[leaf.name] ?? null,
    to: now[leaf.name] ?? null,
  }));
  const [rightsThen, rightsNow] = [then[PERMISSIONS] ?? null, now[PERMISSIONS] ?? null];
  if (!isList(rightsThen) || !isList(rightsNow)) return values;
  const rights = ALL_RIGHTS.map((right) => {
    const [from, to] = [rightsThen.includes(right), rightsNow.includes(right)];
    return { path: [PERMISSIONS, right], leaf: undefined, from, to };
  }).filter(({ from, to }) => from !== to);
  return [...values.filter(({ leaf }) => rights.length === 0 || leaf.name !== PERMISSIONS), ...rights];
}

/**
 * @param withoutGroup the value of members of an absent group
 * @returns undefined where the records do not show it
 */
function shownOf(
  { path, attribute, parents }: Leaf,
  records: Records,
  withoutGroup: Value | undefined,
): Value | undefined {
  let record = records[(parents[0]?.attribute ?? attribute).of];
  for (const parent of parents) {
    if (record === undefined) return undefined;
    const inner = shownValue(parent.attribute, parent.name, record);
    if (inner === null) return withoutGroup;
    record = isObject(inner) ? inner : undefined;
  }
  return record === undefined ? undefined : shownValue(attribute, String(path.at(-1)), record);
}

/** One form for equal values: sets without an order, rights as the granted ones, UUIDs in lower case. */
export function canonical({ shape, constraints, codec }: Attribute, value: Value): Value {
  if (codec !== undefined && isObject(value))
    return Object.keys(value)
      .filter((name) => value[name] === true)
      .sort();
  if (shape.kind === "set" && isList(value))
    return [...value].sort((a, b) => compareText(stringifyJson(a), stringifyJson(b)));
  if (constraints.format === "uuid") return textOf(value)?.toLowerCase() ?? null;
  return value;
}

/**
 * The declaration of an object: all values of its configuration, without secrets.
 * @param ignoredPaths paths under `ignore_changes`: their values are the live ones; an empty path means all
 * @returns undefined where a part of it is known only after apply
 */
export function declarationOf(
  attributes: Attributes,
  config: ObjectValue,
  ignoredPaths: readonly Path[] = [],
): ObjectValue | undefined {
  const declaredValues: Record<string, Value> = {};
  if (ignoredPaths.some((path) => path.length === 0)) return declaredValues;
  const ignoredNames = new Set(ignoredPaths.map(([name]) => name));
  for (const { name, attribute } of locatedIn(attributes)) {
    const value = config[name] ?? null;
    if (value === null || attribute.writeOnly || attribute.sensitive || ignoredNames.has(name)) continue;
    if (isUnknown(value) || !isWhollyKnown(value)) return undefined;
    declaredValues[name] = canonical(attribute, value);
  }
  return declaredValues;
}
