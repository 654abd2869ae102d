import { isUnknown } from "./unknown";
import { isList, isObject, type Value } from "./value";

/** Deep equality. An unknown equals nothing, itself included: it may turn out to be anything. */
export function equal(a: Value | undefined, b: Value | undefined): boolean {
  if (isUnknown(a) || isUnknown(b)) return false;
  if (a === b) return true;
  if (isList(a) && isList(b))
    return a.length === b.length && a.every((element, index) => equal(element, b[index]));
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
    );
  }
  return false;
}
