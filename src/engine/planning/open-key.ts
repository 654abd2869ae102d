/** Natural keys of which a part is known only after apply. */

/** How such a part reads. */
export const LATER = "(known after apply)";

export function isKnownKey(key: string): boolean {
  return !key.includes(LATER);
}

/** What the key of an object can turn out to be. */
export function keyPattern(key: string): RegExp {
  const parts = key.split(LATER).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}
