/** Adds values to a live record that the service does not show and the credential store remembers. */
import {
  type Attribute,
  type Attributes,
  isLacking,
  isPatched,
  isVersionName,
  type Located,
  locatedIn,
  type Records,
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
  UNKNOWN,
  type Value,
} from "../lib/values";
import { isHidden } from "./applied-values";

/** The credential store's memory of one live object. */
export interface Memory {
  /**
   * Compares a value that the service does not show with the one that was last sent; "hidden": a value was sent, and the snapshot does not
   * contain it.
   */
  digest(path: Path, value: Value): "same" | "different" | "none" | "hidden";
  /** The version under which a write-only value was last sent or recorded; undefined where nothing is remembered. */
  version(path: Path): number | bigint | string | null | undefined;
  /** True if a remembered value or version was only recorded: no apply has sent it. */
  isOnlyRecorded(path: Path): boolean;
}

/**
 * Client-only attributes count as declared: without a memory of the past they cannot have changed. A value that the service masks or omits counts as
 * declared if the store remembers it. If the store does not, the value is sent once, because sending the live value again is harmless. Secrets, and
 * values of a record that the caller may not see, are only recorded. A value to clear that the service omits is unknown until the store remembers
 * that it was cleared.
 *
 * @param unset names of the attributes to clear
 * @param send secrets that count as changed until an apply has sent them (`--reset-passwords`)
 */
export function remember(
  attributes: Attributes,
  config: ObjectValue,
  records: Records,
  memory: Memory,
  send: { readonly resetPasswords: boolean },
  unset: ReadonlySet<string> = new Set(),
): {
  /** A prior state with the values that the record does not show: pass it to the resource's `stateOf`. */
  readonly prior: ObjectValue;
  /** Values that the service does not show, and that are sent because nothing is remembered of them. */
  readonly sentOnce: readonly Path[];
  /** Values of which nothing is remembered, and that are not sent: the next apply records them as they are declared. */
  readonly recorded: readonly Path[];
  /** Declared values whose live value a snapshot does not contain. */
  readonly lacking: readonly Path[];
} {
  const sentOnce: Path[] = [];
  const recorded: Path[] = [];
  const lacking: Path[] = [];
  const prior: Record<string, Value> = {};
  for (const one of locatedIn(attributes))
    prior[one.name] = priorOf(one, config[one.name] ?? null, records[one.attribute.of] ?? {}, false);
  return { prior, sentOnce, recorded, lacking };

  /** @param isOuterLeftOut true if a snapshot has omitted the group of the value */
  function priorOf(one: Located, declaredValue: Value, record: ObjectValue, isOuterLeftOut: boolean): Value {
    const { name, path, attribute, members } = one;
    const live = shownValue(attribute, name, record);
    const isLeftOut = isOuterLeftOut || isLacking(attribute, name, record);
    const isTakenAway = path.length === 1 && declaredValue === null && unset.has(name);
    // A record that the caller does not see says nothing of its values, and a secret is taken away by its version.
    if (isTakenAway && attribute.shown && live === undefined && !isLeftOut && records[attribute.of])
      return takenAwayAt(path);
    switch (sourceOf(one, declaredValue, live, isLeftOut)) {
      case "nobody":
        return null;
      case "version":
        return versionAt(path, declaredValue);
      case "declaration":
        if (isUnknown(declaredValue)) return null;
        return declaredValue ?? (attribute.shown ? null : attribute.defaultValue) ?? null;
      case "members": {
        const [desired, liveObject] = [declaredValue, live].map((value) =>
          isObject(value ?? null) ? value : {},
        );
        return Object.fromEntries(
          members.map((member) => [
            member.name,
            priorOf(
              member,
              (desired as ObjectValue)[member.name] ?? null,
              liveObject as ObjectValue,
              isLeftOut,
            ),
          ]),
        );
      }
      case "snapshot":
        if (declaredValue !== null) lacking.push(path);
        return NOT_IN_SNAPSHOT;
      case "memory":
        return hiddenAt(path, attribute, declaredValue);
    }
  }

  function versionAt(path: Path, declaredVersion: Value): Value {
    const version = memory.version(secretPath(path));
    const isDue = send.resetPasswords && memory.isOnlyRecorded(secretPath(path));
    if (version !== undefined && !isDue) return version;
    if (send.resetPasswords || isUnknown(declaredVersion)) return null;
    if (declaredVersion !== null) recorded.push(path);
    return declaredVersion;
  }

  function takenAwayAt(path: Path): Value {
    const digest = memory.digest(path, null);
    if (digest === "hidden" || (digest === "same" && !memory.isOnlyRecorded(path))) return null;
    if (digest !== "different") sentOnce.push(path);
    return UNKNOWN;
  }

  function hiddenAt(path: Path, attribute: Attribute, declaredValue: Value): Value {
    const digest = memory.digest(path, declaredValue);
    if (digest === "different") return null;
    if (digest === "hidden") lacking.push(path);
    if (digest === "hidden" || (digest === "same" && !memory.isOnlyRecorded(path))) return declaredValue;
    const isSeen = records[attributes[path[0] ?? ""]?.of ?? "self"] !== undefined;
    if (isPatched(attribute) && isSeen) {
      sentOnce.push(path);
      return null;
    }
    if (digest === "none") recorded.push(path);
    return declaredValue;
  }
}

/** The source of the prior value of an attribute that the live record does not show; undefined if the record shows it, or has none. */
function sourceOf(
  { name, attribute }: Located,
  declaredValue: Value,
  live: Value | undefined,
  isLeftOut: boolean,
): "nobody" | "version" | "declaration" | "members" | "snapshot" | "memory" {
  const { shown, writeOnly, shape, codec } = attribute;
  if (writeOnly) return "nobody";
  if (isVersionName(name)) return "version";
  if (!shown) return "declaration";
  // The state of a live record is made from its shown values and from the declared ones.
  if (codec?.state !== undefined && live !== undefined) return "declaration";
  if (shape.kind === "group") return live === null || !isObject(declaredValue) ? "nobody" : "members";
  if (isLeftOut) return "snapshot";
  if (
    declaredValue === null ||
    isUnknown(declaredValue) ||
    (isList(declaredValue) && declaredValue.some(isUnknown))
  )
    return "nobody";
  return isHidden(attribute, live) ? "memory" : "nobody";
}
