/** What the store is told after a write: which values the service hides, and which versions of secrets were sent. */
import type { Ledger, LiveObject } from "../../credentials";
import { hiddenPaths } from "../../plan";
import type { Records } from "../../resources";
import { allAttributes, type Attributes } from "../../schema";
import { isInteger, isObject, isUnknown, type ObjectValue, type Path, type Value } from "../../values";

/** After a create or update: everything that is hidden, and every version, is as it is declared now. */
export async function noteWritten(
  ledger: Ledger,
  object: LiveObject,
  attributes: Attributes,
  config: ObjectValue,
  records: Records,
): Promise<void> {
  for (const path of hiddenPaths(attributes, config, records)) {
    if (!isVersion(path)) noteValue(ledger, object, path, config);
  }
  for (const { path, attribute } of allAttributes(attributes)) {
    const isDeclared = path.length === 1 || at(config, path.slice(0, -1)) !== null;
    if (attribute.writeOnly && isDeclared) await noteVersion(ledger, object, path, config);
  }
}

/** What a plan takes as declared because nothing was remembered of it. */
export async function noteRecorded(
  ledger: Ledger,
  object: LiveObject,
  paths: readonly Path[],
  config: ObjectValue,
): Promise<void> {
  for (const path of paths) {
    if (isVersion(path)) await noteVersion(ledger, object, secretOf(path), config);
    else noteValue(ledger, object, path, config);
  }
}

function noteValue(ledger: Ledger, object: LiveObject, path: Path, config: ObjectValue): void {
  const value = at(config, path);
  if (value !== null && !isUnknown(value)) ledger.objects.rememberValue(object, path, value);
}

/** A secret that is not declared has the version null, so that declaring one later sends it. */
async function noteVersion(
  ledger: Ledger,
  object: LiveObject,
  path: Path,
  config: ObjectValue,
): Promise<void> {
  const version = at(config, [...path.slice(0, -1), `${path.at(-1)}_version`]);
  const secret = at(config, path);
  await ledger.objects.recordVersion(
    object,
    path,
    isInteger(version) ? version : null,
    typeof secret === "string" ? secret : undefined,
  );
}

function isVersion(path: Path): boolean {
  return String(path.at(-1)).endsWith("_wo_version");
}

function secretOf(path: Path): Path {
  return [...path.slice(0, -1), String(path.at(-1)).replace(/_version$/, "")];
}

function at(config: ObjectValue, path: Path): Value {
  return path.reduce<Value>((value, step) => (isObject(value) ? (value[step] ?? null) : null), config);
}
