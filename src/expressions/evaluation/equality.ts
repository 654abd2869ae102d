import { isUnknown, Unknown } from "../../values";
import { isMarkedList, peel, type Marked } from "../marks";
import { ValueSet } from "../set";

/** Whether two values are equal, by type and content; undefined where only the apply will tell. */
export function areEqual(left: Marked, right: Marked): boolean | undefined {
  const a = peel(left);
  const b = peel(right);
  if (isUnknown(a) || isUnknown(b)) return nullAgainstUnknown(a, b);
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isMarkedList(a)) {
    if (!isMarkedList(b) || a instanceof ValueSet !== b instanceof ValueSet || a.length !== b.length)
      return false;
    return every(a.map((element, index) => () => areEqual(element, b[index] ?? null)));
  }
  if (isMarkedList(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length || !names.every((name) => Object.hasOwn(b, name))) return false;
  return every(names.map((name) => () => areEqual(a[name] ?? null, b[name] ?? null)));
}

/** What is certain not to be null does not equal it, whatever it will be. */
function nullAgainstUnknown(a: Marked, b: Marked): boolean | undefined {
  const surely = (value: Marked) => value instanceof Unknown && value.notNull;
  return (a === null && surely(b)) || (b === null && surely(a)) ? false : undefined;
}

/** One difference decides, even beside parts that are not known. */
function every(comparisons: readonly (() => boolean | undefined)[]): boolean | undefined {
  let result: boolean | undefined = true;
  for (const compare of comparisons) {
    const part = compare();
    if (part === false) return false;
    if (part === undefined) result = undefined;
  }
  return result;
}
