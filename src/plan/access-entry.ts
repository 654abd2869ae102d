/** Makes the entries of a row of access. No I/O. */
import { stringifyJson, type Value } from "../lib/values";
import type { AccessEffect, AccessEntry, AccessKind } from "./plan";
import { NO_ACCESS_MARKS } from "./rights";

/** @param to see {@link AccessEntry.to}; undefined if there is no value to show */
export function accessEntry(
  kind: AccessKind,
  what: string,
  effect: AccessEffect,
  says: string,
  to?: string | null,
): AccessEntry {
  return {
    kind,
    what,
    effect,
    says,
    marks: NO_ACCESS_MARKS,
    byDefault: false,
    ...(to !== undefined && { to }),
  };
}

/** A value as an entry shows it. */
export function writtenValue(value: Value | undefined): string {
  return typeof value === "string" ? value : stringifyJson(value ?? null);
}
