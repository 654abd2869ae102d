/** Rules between the attributes of a record, judged on known values alone. */
import { asWarning, InvalidValue, VersionWithoutValue, type Diagnostic } from "../../errors";
import { secretPath, versionAttributes, type Attributes } from "../../schema";
import { formatPath, isList, isUnknown, parsePath, valueAt, type ObjectValue, type Path } from "../../values";

/** All findings, so that they can be mended at once. */
export function checkRecord(attributes: Attributes, config: ObjectValue): readonly Diagnostic[] {
  return [...unsetAndSet(attributes, config), ...scopes(config), ...versions(attributes, config)];
}

function unsetAndSet(attributes: Attributes, config: ObjectValue): readonly Diagnostic[] {
  const unset = config["unset"];
  if (!isList(unset)) return [];
  const paths = attributes["unset"]?.constraints.oneOf ?? [];
  return unset.flatMap((path) => {
    // What cannot be unset at all is a finding of its own.
    if (typeof path !== "string" || !paths.includes(path)) return [];
    const attribute = parsePath(path);
    const value = valueAt(config, attribute);
    if (value === null || isUnknown(value)) return [];
    return new InvalidValue(`"${path}" is both set and unset`, {
      attribute,
      advice: "Remove the value, or remove its path from `unset`.",
    }).toDiagnostics();
  });
}

const SCOPES: readonly { readonly list: Path; readonly flag: Path }[] = [
  { list: ["permissions", "node", "nodes"], flag: ["permissions", "node", "all_realm_scope"] },
  { list: ["permissions", "vss", "vsses"], flag: ["permissions", "vss", "all_account_scope"] },
];

/**
 * A list limits a scope, so the flag that lifts the limit must be false. An empty one beside a flag that is true is what the service shows of
 * an unlimited scope, and what Terraform generates from that.
 */
function scopes(config: ObjectValue): readonly Diagnostic[] {
  return SCOPES.flatMap(({ list, flag }) => {
    const limited = valueAt(config, list);
    const everywhere = valueAt(config, flag);
    if (limited === null || isUnknown(limited) || isUnknown(everywhere) || everywhere === false) return [];
    if (everywhere === true && isList(limited) && limited.length === 0) return [];
    return new InvalidValue(`"${formatPath(list)}" has an effect only with "${formatPath(flag)}" = false`, {
      attribute: list,
      advice: `Set "${formatPath(flag)}" = false, or remove the list.`,
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
