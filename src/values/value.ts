/** The values that configuration, state and expressions are made of. Null, unknown and known are three different things. */
import { Unknown } from "./unknown";

/**
 * A value of one attribute or expression.
 *
 * Integers beyond 2^53 are `bigint`, all other numbers `number` (see {@link normalNumber}); lists and sets are both
 * arrays, which of the two it is the schema knows. Objects may have any own key, `__proto__` among them, so they are
 * made with {@link emptyObject} wherever a key comes from outside.
 */
export type Value = null | boolean | string | number | bigint | Unknown | readonly Value[] | ObjectValue;

/** An object or a map. */
export interface ObjectValue {
  readonly [name: string]: Value;
}

/** An object under construction, without a prototype, so that no key has a meaning of its own. */
export function emptyObject(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>;
}

export function isObject(value: Value | undefined): value is ObjectValue {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Unknown);
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** Whether no part of the value is unknown. */
export function isWhollyKnown(value: Value): boolean {
  if (value instanceof Unknown) return false;
  if (isList(value)) return value.every(isWhollyKnown);
  if (isObject(value)) return Object.values(value).every(isWhollyKnown);
  return true;
}
