/**
 * Data that nobody can change any more: lists and plain objects with all that is in them. Instances of classes are frozen, and not entered.
 * @returns the very value
 */
export function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  if (Array.isArray(value)) for (const element of value as readonly unknown[]) frozen(element);
  else if (isPlain(value)) for (const member of Object.values(value)) frozen(member);
  return value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
