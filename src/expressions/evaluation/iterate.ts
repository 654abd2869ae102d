import { ExpressionFailed } from "../../errors";
import { isUnknown } from "../../values";
import { describeType, typeOf } from "../conversions/type";
import { isMarkedList, isMarkedObject, type Marked } from "../marks";
import { ValueSet } from "../set";
import { sortedNames } from "../text-order";

/**
 * What a loop goes through, in order: positions and elements, keys and members; the key of a set's element is the element.
 * Undefined where only the apply will tell. The collection itself is not marked.
 */
export function entriesOf(collection: Marked): readonly (readonly [Marked, Marked])[] | undefined {
  if (isUnknown(collection)) return undefined;
  if (collection instanceof ValueSet) {
    return collection.isWhole ? collection.map((element) => [element, element] as const) : undefined;
  }
  if (isMarkedList(collection)) return collection.map((element, index) => [index, element] as const);
  if (isMarkedObject(collection)) {
    return sortedNames(collection).map((name) => [name, collection[name] ?? null] as const);
  }
  if (collection === null) throw new ExpressionFailed("a for loop cannot iterate over null");
  throw new ExpressionFailed(`a for loop cannot iterate over a ${describeType(typeOf(collection))}`);
}
