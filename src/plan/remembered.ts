/**
 * What the credential store remembers of an object: values that the service does not show, which are added to a live record, and all that
 * the last apply left of it, so that drift is what differs.
 */
import {
  type Attribute,
  type Attributes,
  isLacking,
  isMasked,
  isVersionName,
  type Located,
  locatedIn,
  secretPath,
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
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  onceForEach,
  type Path,
  startsWith,
  stringifyJson,
  textOf,
  type Value,
} from "../values";

// Values that the service does not show, and attributes that only the client knows.

/** The credential store's memory of one live object. */
export interface Memory {
  /**
   * Compares a value that the service does not show with the one that was last sent; "untold": one was sent, and the snapshot that is planned
   * from does not tell which.
   */
  digest(path: Path, value: Value): "same" | "different" | "none" | "untold";
  /** The version under which a write-only value was last sent or recorded; undefined where nothing is remembered. */
  version(path: Path): number | bigint | string | null | undefined;
}

interface Remembered {
  /** A prior state with the values that the record does not show: pass it to the resource's `stateOf`. */
  readonly prior: ObjectValue;
  /** Values of which nothing was remembered; they are taken as they are declared, and noted by the next apply. */
  readonly recorded: readonly Path[];
  /** Values that are declared, and of which a snapshot does not tell whether they change. */
  readonly lacking: readonly Path[];
}

/**
 * Client-only attributes are as declared: without a memory of the past they cannot have changed. A value that the service masks or
 * leaves out is as declared too, unless the store remembers that another one was sent.
 *
 * @param send what of which nothing is remembered counts as changed: versions (`--reset-passwords`), values that are not shown
 * (`--send-unseen`)
 */
export function remember(
  attributes: Attributes,
  config: ObjectValue,
  records: { readonly self: ObjectValue; readonly primary?: ObjectValue | undefined },
  memory: Memory,
  send: { readonly resetPasswords: boolean; readonly sendUnseen?: boolean },
): Remembered {
  const recorded: Path[] = [];
  const lacking: Path[] = [];
  const prior: Record<string, Value> = {};
  for (const one of locatedIn(attributes)) {
    const record = one.attribute.of === "primary" ? records.primary : records.self;
    prior[one.name] = rememberOne(one, config[one.name] ?? null, record ?? {});
  }
  return { prior, recorded, lacking };

  function rememberOne(
    { name, path, attribute, members }: Located,
    declared: Value,
    record: ObjectValue,
    isLeftOut = false,
  ): Value {
    if (attribute.writeOnly) return null;
    if (isVersionName(name)) return versionOf(declared, path);
    if (!attribute.shown) return isUnknown(declared) ? null : (declared ?? attribute.defaultValue ?? null);
    const live = shownValue(attribute, name, record);
    const isAbsent = isLeftOut || isLacking(attribute, name, record);
    const { shape, codec } = attribute;
    // The state of a live record is made from its shown values and from the declared ones.
    if (codec?.state !== undefined && live !== undefined) return isUnknown(declared) ? null : declared;
    if (shape.kind === "group") {
      if (live === null || !isObject(declared)) return null;
      const inner = isObject(live) ? live : {};
      const group: Record<string, Value> = {};
      for (const member of members)
        group[member.name] = rememberOne(member, declared[member.name] ?? null, inner, isAbsent);
      return group;
    }
    if (isAbsent) {
      if (declared !== null) lacking.push(path);
      return NOT_IN_SNAPSHOT;
    }
    if (declared === null || hasUnknown(declared)) return null;
    if (!isHidden(attribute, live)) return null;
    const digest = memory.digest(path, declared);
    if (digest === "different" || (digest === "none" && send.sendUnseen === true)) return null;
    if (digest === "none") recorded.push(path);
    if (digest === "untold") lacking.push(path);
    return declared;
  }

  function versionOf(declared: Value, path: Path): Value {
    const version = memory.version(secretPath(path));
    if (version !== undefined) return version;
    if (send.resetPasswords || isUnknown(declared)) return null;
    if (declared !== null) recorded.push(path);
    return declared;
  }
}

function hasUnknown(value: Value): boolean {
  return isUnknown(value) || (isList(value) && value.some(isUnknown));
}

/** Declared values that an answer masks or leaves out, so that the store has to remember what was sent. */
export function hiddenPaths(
  attributes: Attributes,
  config: ObjectValue,
  records: { readonly self: ObjectValue; readonly primary?: ObjectValue | undefined },
): readonly Path[] {
  const hidden: Path[] = [];
  for (const one of locatedIn(attributes)) {
    const record = one.attribute.of === "primary" ? records.primary : records.self;
    collectHidden(one, config[one.name] ?? null, record ?? {}, hidden);
  }
  return hidden;
}

function collectHidden(
  { name, path, attribute, members }: Located,
  declared: Value,
  record: ObjectValue,
  hidden: Path[],
): void {
  if (declared === null || !attribute.shown || attribute.writeOnly) return;
  const live = shownValue(attribute, name, record);
  if (attribute.shape.kind !== "group") {
    if (isHidden(attribute, live)) hidden.push(path);
    return;
  }
  if (live === null || !isObject(declared)) return;
  const inner = isObject(live) ? live : {};
  for (const member of members) collectHidden(member, declared[member.name] ?? null, inner, hidden);
}

function isHidden({ masked }: Attribute, live: Value | undefined): boolean {
  return live === undefined || (masked && typeof live === "string" && isMasked(live));
}

/**
 * Values that are neither declared nor in the answers. They are remembered as null, so that declaring one later is a change: nobody can say
 * that a value that was never sent is as declared.
 */
export function absentPaths(
  attributes: Attributes,
  config: ObjectValue,
  records: { readonly self: ObjectValue; readonly primary?: ObjectValue | undefined },
): readonly Path[] {
  const absent: Path[] = [];
  for (const one of locatedIn(attributes)) {
    const record = one.attribute.of === "primary" ? records.primary : records.self;
    if (record !== undefined) collectAbsent(one, config[one.name] ?? null, record, absent);
  }
  return absent;
}

function collectAbsent(
  { name, path, attribute, members }: Located,
  declared: Value,
  record: ObjectValue,
  absent: Path[],
): void {
  const { shape, shown, writeOnly, presence } = attribute;
  if (!shown || writeOnly || presence === "computed") return;
  if (shape.kind !== "group") {
    if (declared === null && shownValue(attribute, name, record) === undefined) absent.push(path);
    return;
  }
  const live = shownValue(attribute, name, record);
  const inner = isObject(live) ? live : {};
  const wanted = isObject(declared) ? declared : {};
  for (const member of members) collectAbsent(member, wanted[member.name] ?? null, inner, absent);
}

// What an apply leaves: every value that the service shows, in one form, and the declaration. The store remembers digests of it.

/** What the objects of one family show. */
interface Layout {
  /** Names of the values. */
  readonly paths: readonly string[];
  /** Names of yes-or-no values: the rights that this release knows, `permissions.vss.manage_targets`. */
  readonly flags: readonly string[];
}

/** The values of one object, as the service shows them. */
export interface Left {
  /** The same one for all objects of a family. */
  readonly layout: Layout;
  /** In the order of the paths; undefined where the service does not show one. */
  readonly values: readonly (Value | undefined)[];
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

interface Leaves {
  readonly list: readonly Leaf[];
  /** Where in the list the rights are; -1 where there are none. */
  readonly rights: number;
  readonly layout: Layout;
}

/** The values of a family's objects that a service can show. */
export const leavesOf = onceForEach((attributes: Attributes): Leaves => {
  const list = leavesIn(locatedIn(attributes), []);
  const rights = list.findIndex(({ name }) => name === PERMISSIONS);
  const layout = {
    paths: list.map(({ name }) => name),
    flags: rights >= 0 ? ALL_RIGHTS.map((right) => `${PERMISSIONS}.${right}`) : [],
  };
  return { list, rights, layout };
});

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
  const { list, layout, rights } = leavesOf(attributes);
  const values = list.map((leaf) => {
    const value = shownOf(leaf, records);
    return value === undefined ? undefined : canonical(leaf.attribute, value);
  });
  const granted = values[rights];
  let set: ReadonlySet<string> | undefined;
  return {
    layout,
    values,
    isSet(flag) {
      set ??= new Set(isList(granted) ? granted.map((right) => `${PERMISSIONS}.${textOf(right) ?? ""}`) : []);
      return set.has(flag);
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
export const NOTHING_LEFT: Left = { layout: { paths: [], flags: [] }, values: [], isSet: () => false };
