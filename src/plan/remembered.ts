/** Adds to a live record what the service does not show: client-only attributes and hidden values, from the store. */
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
import {
  isList,
  isObject,
  isUnknown,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  type Path,
  type Value,
} from "../values";

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
