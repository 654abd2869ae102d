import type { Path } from "./path";
import { isUnknown, UNKNOWN } from "./unknown";
import { isObject, type Value } from "./value";

/** The value at a path of names; null where there is none, unknown where something on the way is. */
export function valueAt(value: Value | undefined, path: Path): Value {
  let inner: Value = value ?? null;
  for (const step of path) {
    if (isUnknown(inner)) return UNKNOWN;
    if (!isObject(inner) || !Object.hasOwn(inner, step)) return null;
    inner = inner[step] ?? null;
  }
  return inner;
}

/** The object with another value at a path of names; groups on the way that are null come into being. */
export function withValueAt(object: Value | undefined, path: Path, value: Value): Value {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const outer = isObject(object) ? object : {};
  return { ...outer, [first]: withValueAt(outer[first], rest, value) };
}
