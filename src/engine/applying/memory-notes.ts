/** What the store is told after a write: which values the service hides, and which versions of secrets were sent. */
import type { Ledger, LiveObject } from "../../credentials";
import { absentPaths, hiddenPaths } from "../../plan";
import type { Records } from "../../resources";
import { isVersionPath, secretPath, versionPath, writeOnlyAttributes, type Attributes } from "../../schema";
import { equal, isInteger, isUnknown, valueAt, type ObjectValue, type Path } from "../../values";

/** An object as it was written. */
export interface WrittenObject {
  readonly attributes: Attributes;
  readonly config: ObjectValue;
  /** What holds now: where only a part could be written, the rest is as it was. */
  readonly state: ObjectValue;
  readonly records: Records;
}

/** After a create or update: what is hidden, and every version, is as it is declared now, as far as it was written. */
export async function noteWritten(
  ledger: Ledger,
  object: LiveObject,
  { attributes, config, state, records }: WrittenObject,
): Promise<void> {
  const isWritten = (path: Path) => equal(valueAt(state, path), valueAt(config, path));
  for (const path of hiddenPaths(attributes, config, records)) {
    if (isWritten(path)) noteValue(ledger, object, path, config);
  }
  for (const path of absentPaths(attributes, state, records)) {
    const isRemembered = ledger.objects.isSameValue(object, path, null) !== undefined;
    if (!isRemembered) ledger.objects.rememberValue(object, path, null);
  }
  for (const { path } of writeOnlyAttributes(attributes)) {
    const isDeclared = path.length === 1 || valueAt(config, path.slice(0, -1)) !== null;
    if (isDeclared && isWritten(versionPath(path))) await noteVersion(ledger, object, path, config);
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
    if (isVersionPath(path)) await noteVersion(ledger, object, secretPath(path), config);
    else noteValue(ledger, object, path, config);
  }
}

function noteValue(ledger: Ledger, object: LiveObject, path: Path, config: ObjectValue): void {
  const value = valueAt(config, path);
  if (value !== null && !isUnknown(value)) ledger.objects.rememberValue(object, path, value);
}

/** A secret that is not declared has the version null, so that declaring one later sends it. */
async function noteVersion(
  ledger: Ledger,
  object: LiveObject,
  path: Path,
  config: ObjectValue,
): Promise<void> {
  const version = valueAt(config, versionPath(path));
  const secret = valueAt(config, path);
  await ledger.objects.recordVersion(
    object,
    path,
    isInteger(version) ? version : null,
    typeof secret === "string" ? secret : undefined,
  );
}
