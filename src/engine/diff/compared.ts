/** Compares one live object with its declaration and with the values that the state remembers of the last apply. */
import type { StatePart, RememberedObject } from "../../state";
import { endsBefore, endsIn, type Inventory, type LiveObject, shownRights } from "../../resources";
import { isVersionName, type Last, lastValue, readState, secretPath, type Verdict } from "../../schema";
import { formatPath, type ObjectValue, type Path } from "../../lib/values";
import type { DeclaredObject } from "../planned-object";

interface CompareOptions {
  readonly plannedAt: Date;
  readonly resetPasswords: boolean;
  readonly replacedSecrets?: ReadonlySet<string>;
}

/** The live object before the change, and the paths of the attributes that have a verdict. */
export function compared(
  { resource, config, target: { part } }: DeclaredObject,
  inventory: Inventory,
  { records }: LiveObject,
  object: RememberedObject,
  options: CompareOptions,
  unset: ReadonlySet<string> = new Set(),
): { readonly prior: ObjectValue; readonly pathsOf: (verdict: Verdict) => readonly Path[] } {
  const { attributes } = resource.description;
  const verdicts: { readonly path: Path; readonly verdict: Verdict }[] = [];
  const { permissions_until: rightsWithEnd } = attributes;
  const days = part.objects.endsOf(object)?.days;
  let desired = config;
  if (rightsWithEnd !== undefined && (days !== undefined || Object.keys(endsIn(config)).length > 0)) {
    const holder = records[rightsWithEnd.of];
    const state = readState(attributes, records, null);
    const ends = endsBefore(config, state, holder && shownRights(holder), days, options.plannedAt);
    desired = { ...config, ...ends };
  }
  const prior = inventory.stateOf(records, desired, options.plannedAt, {
    unset,
    lastOf: ({ name, path }) =>
      isVersionName(name)
        ? lastVersion(part, object, secretPath(path), options)
        : lastHidden(part, object, path),
    note: (path, verdict) => verdicts.push({ path, verdict }),
  });
  return {
    prior,
    pathsOf: (one) => verdicts.flatMap(({ path, verdict }) => (verdict === one ? [path] : [])),
  };
}

/** A version that is to be sent again counts as none that was sent. */
function lastVersion(
  { objects }: StatePart,
  object: RememberedObject,
  path: Path,
  { replacedSecrets, resetPasswords }: CompareOptions,
): Last {
  const version = objects.sentVersion(object, path)?.version;
  const isDue = resetPasswords && (version === undefined || objects.isOnlyRecorded(object, path));
  return lastValue(isDue || replacedSecrets?.has(formatPath(path)) ? null : version);
}

/** The state remembers digests of values that the service does not show. */
function lastHidden({ objects }: StatePart, object: RememberedObject, path: Path): Last {
  return {
    compare(value) {
      const isSame = objects.isSameValue(object, path, value);
      if (isSame === "hidden") return "not known";
      if (isSame !== true) return isSame === undefined ? "none" : "another";
      return objects.isOnlyRecorded(object, path) ? "recorded" : "same";
    },
  };
}
