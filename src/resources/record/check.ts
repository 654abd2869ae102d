/** Rules between the attributes of a record, judged on known values alone. */
import { asWarning, InvalidValue, VersionWithoutValue, type Diagnostic } from "../../errors";
import { secretPath, versionAttributes, type Attributes } from "../../schema";
import { formatPath, isList, isUnknown, valueAt, type ObjectValue } from "../../values";

/** All findings, so that they can be mended at once. */
export function checkRecord(attributes: Attributes, config: ObjectValue): readonly Diagnostic[] {
  return [...unsetAndSet(attributes, config), ...versions(attributes, config)];
}

function unsetAndSet(attributes: Attributes, config: ObjectValue): readonly Diagnostic[] {
  const unset = config["unset"];
  if (!isList(unset)) return [];
  const names = attributes["unset"]?.constraints.oneOf ?? [];
  return unset.flatMap((name) => {
    // A name that cannot be unset at all is a finding of its own.
    if (typeof name !== "string" || !names.includes(name)) return [];
    const value = config[name] ?? null;
    if (value === null || isUnknown(value)) return [];
    return new InvalidValue(`"${name}" is both set and unset`, {
      attribute: [name],
      advice: "Remove the value, or remove its name from `unset`.",
    }).toDiagnostics();
  });
}

function versions(attributes: Attributes, config: ObjectValue): readonly Diagnostic[] {
  return versionAttributes(attributes).flatMap(({ path }) => {
    const version = valueAt(config, path);
    if (version === null || isUnknown(version)) return [];
    const secret = secretPath(path);
    if (valueAt(config, secret) !== null) return [];
    return asWarning(new VersionWithoutValue(formatPath(secret), { attribute: path }));
  });
}
