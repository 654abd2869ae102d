/** Finding a live record for a data source: by exactly one of its keys, or many by a prefix. */
import { InvalidValue, NoSuchObject, type Diagnostic } from "../../errors";
import { readState, type Attributes } from "../../schema";
import { isUnknown, type ObjectValue, type Value } from "../../values";
import { shownRights } from "../permissions";
import { ALL_RIGHTS } from "../rights";
import { text } from "./members";

/** Exactly one of the keys must be given. */
export function checkOneOf(names: readonly string[], config: ObjectValue): readonly Diagnostic[] {
  const given = names.filter((name) => (config[name] ?? null) !== null);
  if (given.length === 1) return [];
  // Which of several will be null may be known only later.
  if (given.length > 1 && given.some((name) => isUnknown(config[name]))) return [];
  const list = names.map((name) => `"${name}"`).join(", ");
  return new InvalidValue(`exactly one of ${list} must be set`, {
    advice: given.length === 0 ? "Set one of them." : `Keep one of ${given.join(" and ")}.`,
  }).toDiagnostics();
}

/**
 * The record that has the given value; filters of the service's are not relied on.
 * @throws NoSuchObject
 */
export function requireOne<T extends ObjectValue>(
  noun: string,
  names: readonly string[],
  config: ObjectValue,
  find: (value: string) => T | undefined,
): T {
  const name = names.find((candidate) => text(config[candidate]) !== undefined) ?? "";
  const value = text(config[name]) ?? "";
  const record = find(value);
  const shown = text(record?.[name]);
  if (record !== undefined && shown?.normalize("NFC") === value.normalize("NFC")) return record;
  throw new NoSuchObject(noun, `${name} ${JSON.stringify(value)}`, { attribute: [name] });
}

/** Whether a record's key begins as asked; everything does where nothing is asked. */
export function hasPrefix(key: string | null | undefined, prefix: string | undefined): boolean {
  return prefix === undefined || (key ?? "").normalize("NFC").startsWith(prefix);
}

/** Records by their keys, then by their ids, so that the service's order makes no difference. */
export function inOrder<T extends ObjectValue>(
  records: readonly T[],
  keyOf: (record: T) => string | null | undefined,
): readonly T[] {
  return [...records].sort(
    (a, b) => compare(keyOf(a) ?? "", keyOf(b) ?? "") || compare(text(a["id"]) ?? "", text(b["id"]) ?? ""),
  );
}

/**
 * A record as the value of a data source: `permissions` with all 49 rights, and what changes at every look only where the
 * configuration asks for it.
 *
 * @param changing names of the attributes that change at every look
 */
export function shownState(
  attributes: Attributes,
  changing: readonly string[],
  record: ObjectValue,
  config: ObjectValue,
): ObjectValue {
  const state: Record<string, Value> = { ...readState(attributes, { self: record }, null) };
  const rights = shownRights(record);
  if ("permissions" in attributes && rights !== undefined) {
    const none = Object.fromEntries(ALL_RIGHTS.map((right) => [right, false]));
    state["permissions"] = { ...none, ...rights };
  }
  if ("volatile" in attributes) state["volatile"] = config["volatile"] ?? null;
  if (config["volatile"] !== true) for (const name of changing) state[name] = null;
  return state;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
