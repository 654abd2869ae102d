/**
 * What the credential store remembers of an object: values that the service does not show, which are added to a live record, and all that
 * the last apply left of it, so that drift is what differs.
 */
import {
  type Attribute,
  type Attributes,
  isLacking,
  isMasked,
  isPatched,
  isVersionName,
  type Located,
  locatedIn,
  type Records,
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
  type Layout,
  type AppliedValues,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  onceForEach,
  type Path,
  startsWith,
  stringifyJson,
  textOf,
  type Value,
} from "../lib/values";

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
  /** Whether a remembered value or version was only recorded: no apply has sent it. */
  isOnlyRecorded(path: Path): boolean;
}

interface Remembered {
  /** A prior state with the values that the record does not show: pass it to the resource's `stateOf`. */
  readonly prior: ObjectValue;
  /** Values that the service does not show, and that are sent because nothing is remembered of them. */
  readonly sentOnce: readonly Path[];
  /** Values of which nothing is remembered, and that are not sent: the next apply records them as they are declared. */
  readonly recorded: readonly Path[];
  /** Values that are declared, and of which a snapshot does not tell whether they change. */
  readonly lacking: readonly Path[];
}

/**
 * Client-only attributes are as declared: without a memory of the past they cannot have changed. A value that the service masks or
 * leaves out is as declared if the store remembers it. If nothing is remembered, the value is sent once: to send the live value again
 * does no harm. Secrets, and values of a record that the caller does not see, are only recorded.
 *
 * @param send what counts as changed until an apply has sent it: secrets (`--reset-passwords`), values of records that the caller
 * does not see (`--send-unseen`)
 */
export function remember(
  attributes: Attributes,
  config: ObjectValue,
  records: Records,
  memory: Memory,
  send: { readonly resetPasswords: boolean; readonly sendUnseen?: boolean },
): Remembered {
  const sentOnce: Path[] = [];
  const recorded: Path[] = [];
  const lacking: Path[] = [];
  const prior: Record<string, Value> = {};
  for (const one of locatedIn(attributes)) {
    prior[one.name] = rememberOne(one, config[one.name] ?? null, records[one.attribute.of] ?? {});
  }
  return { prior, sentOnce, recorded, lacking };

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
    return isHidden(attribute, live) ? hiddenValue(attribute, path, declared) : null;
  }

  function hiddenValue(attribute: Attribute, path: Path, declared: Value): Value {
    const digest = memory.digest(path, declared);
    if (digest === "different") return null;
    if (digest === "untold") lacking.push(path);
    if (digest === "untold" || (digest === "same" && !memory.isOnlyRecorded(path))) return declared;
    const isSeen = records[attributes[path[0] ?? ""]?.of ?? "self"] !== undefined;
    if (isPatched(attribute) && (isSeen || send.sendUnseen === true)) {
      sentOnce.push(path);
      return null;
    }
    if (digest === "none") recorded.push(path);
    return declared;
  }

  function versionOf(declared: Value, path: Path): Value {
    const version = memory.version(secretPath(path));
    const isDue = send.resetPasswords && memory.isOnlyRecorded(secretPath(path));
    if (version !== undefined && !isDue) return version;
    if (send.resetPasswords || isUnknown(declared)) return null;
    if (declared !== null) recorded.push(path);
    return declared;
  }
}

function hasUnknown(value: Value): boolean {
  return isUnknown(value) || (isList(value) && value.some(isUnknown));
}

// Values to remember. Every object that is written asks, so a search makes no list but its result.

/** What to look for among the values that a service can show. */
interface Search {
  /** Whether a record that is not known is passed over, and not taken for one that shows nothing. */
  readonly needsRecord: boolean;
  /** Whether an attribute is left out, a group with all that stands in it. */
  skips(attribute: Attribute, declared: Value): boolean;
  /** Whether the members of a group are looked at. */
  enters(declared: Value, live: Value | undefined): boolean;
  /** Whether an attribute that is no group is listed. */
  holds(attribute: Attribute, live: Value | undefined): boolean;
}

const HIDDEN: Search = {
  needsRecord: false,
  skips: (_attribute, declared) => declared === null,
  enters: (declared, live) => live !== null && isObject(declared),
  holds: isHidden,
};

const ABSENT: Search = {
  needsRecord: true,
  skips: ({ shape, presence }, declared) =>
    presence === "computed" || (declared !== null && shape.kind !== "group"),
  enters: () => true,
  holds: (_attribute, live) => live === undefined,
};

/** Declared values that an answer masks or leaves out, so that the store has to remember what was sent. */
export function hiddenPaths(attributes: Attributes, config: ObjectValue, records: Records): readonly Path[] {
  return pathsOf(HIDDEN, attributes, config, records);
}

/**
 * Values that are neither declared nor in the answers. They are remembered as null, so that declaring one later is a change: nobody can say
 * that a value that was never sent is as declared.
 */
export function absentPaths(attributes: Attributes, config: ObjectValue, records: Records): readonly Path[] {
  return pathsOf(ABSENT, attributes, config, records);
}

/** The values that a search finds, by what is declared of each and by what the records show. */
function pathsOf(
  search: Search,
  attributes: Attributes,
  config: ObjectValue,
  records: Records,
): readonly Path[] {
  const found: Path[] = [];
  for (const one of locatedIn(attributes)) {
    const record = records[one.attribute.of];
    if (record === undefined && search.needsRecord) continue;
    collect(search, one, config[one.name] ?? null, record ?? {}, found);
  }
  return found;
}

function collect(
  search: Search,
  { name, path, attribute, members }: Located,
  declared: Value,
  record: ObjectValue,
  found: Path[],
): void {
  if (search.skips(attribute, declared) || !attribute.shown || attribute.writeOnly) return;
  const live = shownValue(attribute, name, record);
  if (attribute.shape.kind !== "group") {
    if (search.holds(attribute, live)) found.push(path);
  } else if (search.enters(declared, live)) {
    const wanted = isObject(declared) ? declared : {};
    const inner = isObject(live) ? live : {};
    for (const member of members) collect(search, member, wanted[member.name] ?? null, inner, found);
  }
}

function isHidden({ masked }: Attribute, live: Value | undefined): boolean {
  return live === undefined || (masked && typeof live === "string" && isMasked(live));
}

// What an apply leaves: every value that the service shows, in one form, and the declaration. The store remembers digests of it.

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

/** Paths of the values that stand at these paths or in them. */
export function leavesWithin(attributes: Attributes, paths: readonly Path[]): readonly Path[] {
  if (paths.length === 0) return [];
  return leavesOf(attributes).list.flatMap(({ path }) =>
    paths.some((one) => startsWith(path, one)) ? [path] : [],
  );
}

/**
 * Values that a write of these paths changes and that nobody may be able to see afterwards: the service masks them, leaves them out, or
 * shows nothing yet of what they stand in.
 */
export function unseenPaths(
  attributes: Attributes,
  records: Records,
  written: readonly Path[],
): readonly Path[] {
  return leavesOf(attributes).list.flatMap((leaf) => {
    const { path, attribute, parents } = leaf;
    if (!written.some((one) => startsWith(path, one) || startsWith(one, path))) return [];
    const live = shownOf(leaf, records);
    const isUnseen = attribute.masked || live === undefined || (live === null && parents.length > 0);
    return isUnseen ? [path] : [];
  });
}

/** What live records show. */
export function appliedValues(attributes: Attributes, records: Records): AppliedValues {
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
export function appliedValuesAfter(
  attributes: Attributes,
  records: Records,
  before: Records,
  written: readonly Path[],
): AppliedValues {
  const { list, rights } = leavesOf(attributes);
  const now = appliedValues(attributes, records);
  const then = appliedValues(attributes, before);
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
function shownOf({ path, attribute, parents }: Leaf, records: Records): Value | undefined {
  let record = records[(parents[0]?.attribute ?? attribute).of];
  for (const parent of parents) {
    if (record === undefined) return undefined;
    const inner = shownValue(parent.attribute, parent.name, record);
    // Nothing in a group that is not there has a value.
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

/** Only the declaration of a token is remembered: the store keeps everything else of it itself. */
export const NOTHING_LEFT: AppliedValues = {
  layout: { paths: [], flags: [] },
  values: [],
  isSet: () => false,
};
