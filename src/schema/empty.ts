import { isObject, type Value } from "../values";

/** Whether a value says nothing: null, or a group of nothing. */
export function isEmpty(value: Value): boolean {
  return value === null || (isObject(value) && Object.values(value).every(isEmpty));
}
