/** `lifecycle { ignore_changes }`: the configuration as if it had declared what is there. */
import { IgnoredRight, UnknownAttribute, UnknownRight, type Diagnostic } from "../../errors";
import type { Attributes } from "../../schema";
import { isObject, type ObjectValue, type Path, type Value } from "../../values";

/**
 * A path to an attribute that does not exist would silently ignore nothing; a key of permissions that are not declared would make them
 * exact, as Terraform plans it.
 *
 * @param config what is declared; undefined where that is not known yet
 */
export function unfitIgnored(
  attributes: Attributes,
  ignored: readonly Path[],
  config?: ObjectValue,
): readonly Diagnostic[] {
  return ignored.flatMap((path) => unfit(attributes, path, config));
}

const WHERE = { attribute: ["lifecycle", "ignore_changes"] };

function unfit(
  attributes: Attributes,
  [first, ...rest]: Path,
  config: ObjectValue | undefined,
): readonly Diagnostic[] {
  if (typeof first !== "string") return [];
  const attribute = Object.hasOwn(attributes, first) ? attributes[first] : undefined;
  if (attribute === undefined)
    return new UnknownAttribute(first, Object.keys(attributes), WHERE).toDiagnostics();
  const [key] = rest;
  const { shape, constraints } = attribute;
  if (shape.kind === "group") return unfit(shape.attributes, rest, undefined);
  if (constraints.keys === undefined || key === undefined) return [];
  const { known, explain } = constraints.keys;
  if (!known.includes(String(key)))
    return new UnknownRight(String(key), known, explain, WHERE).toDiagnostics();
  return config !== undefined && (config[first] ?? null) === null
    ? new IgnoredRight(String(key), WHERE).toDiagnostics()
    : [];
}

/** @param ignored paths, or an empty path for `all` */
export function withIgnored(config: ObjectValue, prior: ObjectValue, ignored: readonly Path[]): ObjectValue {
  return ignored.reduce<ObjectValue>((result, path) => {
    if (path.length > 0) return replaced(result, prior, path);
    return Object.fromEntries(Object.keys(result).map((name) => [name, prior[name] ?? null]));
  }, config);
}

/** A member that prior lacks is left out, as the key of a map. */
function replaced(config: ObjectValue, prior: ObjectValue, [first, ...rest]: Path): ObjectValue {
  const name = String(first);
  if (rest.length === 0) {
    const { [name]: _ignored, ...others } = config;
    return Object.hasOwn(prior, name) ? { ...others, [name]: prior[name] ?? null } : others;
  }
  const before: Value = prior[name] ?? null;
  const inner = config[name] ?? null;
  if (!isObject(inner)) return config;
  return { ...config, [name]: replaced(inner, isObject(before) ? before : {}, rest) };
}
