/** Write-only values: sent when the object is made, and whenever their version changes. */
import { attributeAt, same, versionPath, writeOnlyAttributes, type Attributes } from "../../schema";
import { valueAt, type ObjectValue, type Path } from "../../values";

export interface Versions {
  readonly prior: ObjectValue;
  readonly planned: ObjectValue;
  /** A version that prior lacks is only recorded: the object was taken in, and may have the declared value already. */
  readonly recordOnly: boolean;
}

/** Paths of the write-only values that an update has to send. */
export function secretsDue(
  attributes: Attributes,
  { prior, planned, recordOnly }: Versions,
): readonly Path[] {
  return writeOnlyAttributes(attributes)
    .filter(({ path }) => {
      const at = versionPath(path);
      const version = attributeAt(attributes, at);
      const before = valueAt(prior, at);
      const after = valueAt(planned, at);
      if (version === undefined || after === null || same(version, before, after)) return false;
      return before !== null || !recordOnly;
    })
    .map(({ path }) => path);
}
