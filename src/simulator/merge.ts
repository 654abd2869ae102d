/** Partial updates: "a partial body changes only the members given" (spec 4.3). */
import { isDeepStrictEqual } from "node:util";

/** A value of which every member at every depth may be absent; lists are taken whole. */
export type Partially<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Partially<T[K]> | undefined }
    : T;

/** The record with the given members changed at every depth; lists and null replace. The same object where nothing differs. */
export function merge<T extends object>(record: T, given: NoInfer<Partially<T>>): T {
  const merged = { ...record } as Record<string, unknown>;
  for (const [name, value] of Object.entries(given as Record<string, unknown>)) {
    if (value === undefined) continue;
    const old = merged[name];
    merged[name] = isMembers(old) && isMembers(value) ? merge(old, value) : value;
  }
  return isDeepStrictEqual(merged, record) ? record : (merged as T);
}

function isMembers(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
