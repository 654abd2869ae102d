/** How deep lists and objects are nested. */

/** Far more than anything honest has; far less than what would exhaust the stack of whoever walks through it. */
export const DEEPEST = 200;

/** JSON is nested deeper than {@link DEEPEST}. */
export class TooDeep extends SyntaxError {
  constructor() {
    super(`lists and objects are nested more than ${DEEPEST} levels deep`);
  }
}

/** Whether parsed JSON is nested deeper than that. */
export function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  // Loops in place of `some` and Object.values, which would make something of each record of a large service.
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[])
      if (typeof element === "object" && isTooDeep(element, levels - 1)) return true;
    return false;
  }
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === "object" && isTooDeep(member, levels - 1)) return true;
  }
  return false;
}
