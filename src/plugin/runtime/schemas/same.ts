import { equal, isList, isObject, isUnknown, type Value } from "../../../values";

/** Above this, comparing each with each would take longer than core takes to find out by itself. */
const MOST_PAIRED = 1_000;

/**
 * Whether core may find two values the same: every unknown is like every other, accents may be composed or not, and
 * elements may stand in another order, since both lists and sets are arrays here. It errs on the side of yes.
 */
export function same(a: Value, b: Value): boolean {
  if (isUnknown(a) || isUnknown(b)) return isUnknown(a) && isUnknown(b);
  if (isList(a) && isList(b)) return sameElements(a, b);
  if (isObject(a) && isObject(b)) return sameMembers(a, b);
  if (typeof a === "string" && typeof b === "string") return a.normalize("NFC") === b.normalize("NFC");
  return equal(a, b);
}

function sameElements(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length === b.length && a.every((element, index) => same(element, b[index] as Value))) return true;
  if (Math.max(a.length, b.length) > MOST_PAIRED) return true;
  const among = (list: readonly Value[]) => (element: Value) => list.some((other) => same(element, other));
  return a.every(among(b)) && b.every(among(a));
}

function sameMembers(a: { readonly [name: string]: Value }, b: { readonly [name: string]: Value }): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && same(a[name] as Value, b[name] as Value))
  );
}
