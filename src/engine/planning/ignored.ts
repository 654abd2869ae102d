/** `lifecycle { ignore_changes }`: the configuration as if it had declared what is there. */
import { UnknownAttribute, type Diagnostic } from "../../errors";
import type { Attributes } from "../../schema";
import { isObject, type ObjectValue, type Path, type Value } from "../../values";

/** A path to what there is not would silently ignore nothing. */
export function unfitIgnored(attributes: Attributes, ignored: readonly Path[]): readonly Diagnostic[] {
  return ignored.flatMap((path) => unfit(attributes, path));
}

function unfit(attributes: Attributes, [first, ...rest]: Path): readonly Diagnostic[] {
  if (typeof first !== "string") return [];
  const shape = Object.hasOwn(attributes, first) ? attributes[first]?.shape : undefined;
  if (shape === undefined)
    return new UnknownAttribute(first, Object.keys(attributes), {
      attribute: ["lifecycle", "ignore_changes"],
    }).toDiagnostics();
  return shape.kind === "group" ? unfit(shape.attributes, rest) : [];
}

/** @param ignored paths, or an empty path for `all` */
export function withIgnored(config: ObjectValue, prior: ObjectValue, ignored: readonly Path[]): ObjectValue {
  return ignored.reduce<ObjectValue>((result, path) => {
    if (path.length > 0) return replaced(result, prior, path);
    return Object.fromEntries(Object.keys(result).map((name) => [name, prior[name] ?? null]));
  }, config);
}

function replaced(config: ObjectValue, prior: ObjectValue, [first, ...rest]: Path): ObjectValue {
  const name = String(first);
  const before: Value = prior[name] ?? null;
  if (rest.length === 0) return { ...config, [name]: before };
  const inner = config[name] ?? null;
  if (!isObject(inner)) return config;
  return { ...config, [name]: replaced(inner, isObject(before) ? before : {}, rest) };
}
