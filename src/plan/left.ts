/**
 * What an apply leaves of an object: every value that the service shows, in one form, and the declaration. The credential store remembers
 * digests of it, and drift is what differs from them.
 */
import { type Attribute, type Attributes, type Located, locatedIn, shownValue } from "../schema";
import { ALL_RIGHTS } from "../service";
import {
  compareText,
  formatPath,
  isList,
  isObject,
  isUnknown,
  isWhollyKnown,
  type ObjectValue,
  type Path,
  startsWith,
  stringifyJson,
  textOf,
  type Value,
} from "../values";

/** The values of one object, as the service shows them. */
export interface Left {
  /** Names of the values; the same list for all objects of a family. */
  readonly paths: readonly string[];
  /** In the order of the names; undefined where the service does not show one. */
  readonly values: readonly (Value | undefined)[];
  /** Names of yes-or-no values: the rights that this release knows, `permissions.vss.manage_targets`. */
  readonly flags: readonly string[];
  readonly isSet: (flag: string) => boolean;
}

interface LiveRecords {
  readonly self: ObjectValue;
  readonly primary?: ObjectValue | undefined;
}

/** A value that the service shows. */
export interface Leaf {
  readonly name: string;
  readonly path: Path;
  readonly attribute: Attribute;
  /** The attributes that it stands in, from the outside in. */
  readonly parents: readonly Located[];
}

const PERMISSIONS = "permissions";

const leaves = new WeakMap<Attributes, Leaves>();

interface Leaves {
  readonly list: readonly Leaf[];
  /** Where in the list the rights are; -1 where there are none. */
  readonly rights: number;
  readonly names: readonly string[];
  readonly flags: readonly string[];
}

/** The values of a family's objects that a service can show. */
export function leavesOf(attributes: Attributes): Leaves {
  let found = leaves.get(attributes);
  if (found === undefined) {
    const list = leavesIn(locatedIn(attributes), []);
    const rights = list.findIndex(({ name }) => name === PERMISSIONS);
    found = {
      list,
      rights,
      names: list.map(({ name }) => name),
      flags: rights >= 0 ? ALL_RIGHTS.map((right) => `${PERMISSIONS}.${right}`) : [],
    };
    leaves.set(attributes, found);
  }
  return found;
}

function leavesIn(located: readonly Located[], parents: readonly Located[]): readonly Leaf[] {
  return located.flatMap((one): readonly Leaf[] => {
    const { attribute, path, members } = one;
    if (!attribute.shown || attribute.writeOnly) return [];
    return attribute.shape.kind === "group"
      ? leavesIn(members, [...parents, one])
      : [{ name: formatPath(path), path, attribute, parents }];
  });
}

/** What live records show. */
export function leftOf(attributes: Attributes, records: LiveRecords): Left {
  const { list, names, flags, rights } = leavesOf(attributes);
  const values = list.map((leaf) => {
    const value = shownOf(leaf, records);
    return value === undefined ? undefined : canonical(leaf.attribute, value);
  });
  const granted = values[rights];
  let set: ReadonlySet<Value> | undefined;
  return {
    paths: names,
    values,
    flags,
    isSet(flag) {
      set ??= new Set(isList(granted) ? granted : []);
      return set.has(flag.slice(PERMISSIONS.length + 1));
    },
  };
}

/**
 * What is left after a write whose answer shows only a part of the object: what was not written is as it was.
 * @param before as the plan saw it
 * @param written paths of what was written
 */
export function leftAfter(
  attributes: Attributes,
  records: LiveRecords,
  before: LiveRecords,
  written: readonly Path[],
): Left {
  const { list, rights } = leavesOf(attributes);
  const now = leftOf(attributes, records);
  const then = leftOf(attributes, before);
  const isOpen = list.map(
    ({ path }, index) =>
      now.values[index] === undefined &&
      !written.some((one) => startsWith(path, one) || startsWith(one, path)),
  );
  return {
    ...now,
    values: list.map((_leaf, index) => (isOpen[index] === true ? then.values[index] : now.values[index])),
    isSet: isOpen[rights] === true ? then.isSet : now.isSet,
  };
}

/** Undefined where the records do not show it. */
function shownOf({ path, attribute, parents }: Leaf, records: LiveRecords): Value | undefined {
  const of = parents[0]?.attribute.of ?? attribute.of;
  let record = of === "primary" ? records.primary : records.self;
  for (const parent of parents) {
    if (record === undefined) return undefined;
    const inner = shownValue(parent.attribute, parent.name, record);
    // Of a group that is not there, nothing in it has a value.
    if (inner === null) return null;
    record = isObject(inner) ? inner : undefined;
  }
  return record === undefined ? undefined : shownValue(attribute, String(path.at(-1)), record);
}

/** One form for what is the same: sets without an order, rights by those that are granted, uuids in lower case. */
export function canonical({ shape, constraints, codec }: Attribute, value: Value): Value {
  if (codec !== undefined && isObject(value))
    return Object.keys(value)
      .filter((name) => value[name] === true)
      .sort();
  if (shape.kind === "set" && isList(value)) return [...value].sort(byText);
  if (constraints.format === "uuid") return textOf(value)?.toLowerCase() ?? null;
  return value;
}

function byText(a: Value, b: Value): number {
  return compareText(stringifyJson(a), stringifyJson(b));
}

/**
 * What is declared of an object: all that its configuration gives a value, without the secrets themselves.
 * @param ignored paths under `ignore_changes`: their values are the live ones; an empty path stands for all
 * @returns undefined where a part of it is known only after apply
 */
export function declarationOf(
  attributes: Attributes,
  config: ObjectValue,
  ignored: readonly Path[] = [],
): ObjectValue | undefined {
  const declared: Record<string, Value> = {};
  if (ignored.some((path) => path.length === 0)) return declared;
  const left = new Set(ignored.map(([name]) => name));
  for (const { name, attribute } of locatedIn(attributes)) {
    const value = config[name] ?? null;
    if (value === null || attribute.writeOnly || attribute.sensitive || left.has(name)) continue;
    if (isUnknown(value) || !isWhollyKnown(value)) return undefined;
    declared[name] = canonical(attribute, value);
  }
  return declared;
}

/** Of a token the store keeps everything itself; only its declaration is remembered. */
export const NOTHING_LEFT: Left = { paths: [], values: [], flags: [], isSet: () => false };
