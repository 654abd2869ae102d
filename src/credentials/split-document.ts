/**
 * Splits a store's document into two files, so that memory, which is large, is written once at the end of a run. Until then the run's
 * changes of it are in the file of the secrets: after a killed run, the next one remembers as much as the killed one did.
 */
import { isDeepStrictEqual } from "node:util";
import { isObject, type ObjectValue, type Value } from "../lib/values";

/** The member of a part in the secrets' file with the changes since the memory's file. */
const CHANGES = "memory_changes";

function splitParts(document: ObjectValue | undefined) {
  const list = document?.["parts"];
  return (Array.isArray(list) ? list : []).filter(isObject).map((part) => {
    const { memory, ...rest } = part;
    const name = [part["origin"], part["stack"], part["provider"]].map((one) => one ?? null);
    return { key: JSON.stringify(name), memory, rest };
  });
}

/**
 * The two files of a document.
 * @param memoryAsItIs the memory's file, if it is not to be written; the changes since then go into the other file
 */
export function splitDocument(
  document: ObjectValue,
  memoryAsItIs: ObjectValue | undefined,
): { readonly secrets: ObjectValue; readonly memory: ObjectValue } {
  const memory =
    memoryAsItIs ??
    Object.fromEntries(
      splitParts(document).flatMap(({ key, memory }) =>
        memory === undefined ? [] : [[key, memory] as const],
      ),
    );
  const parts = splitParts(document).map(({ key, memory: own, rest }) => {
    const changes = memoryChanges(asObject(memory[key]), asObject(own));
    return changes === undefined ? rest : { ...rest, [CHANGES]: changes };
  });
  return { secrets: { ...document, parts }, memory };
}

/** The whole document again. */
export function joinedFiles(secrets: ObjectValue, memory: ObjectValue): ObjectValue {
  const parts = splitParts(secrets).map(({ key, rest }) => {
    const { [CHANGES]: changes, ...part } = rest;
    const whole = changes === undefined ? memory[key] : changed(asObject(memory[key]), asObject(changes));
    return whole === undefined ? part : { ...part, memory: whole };
  });
  return { ...secrets, parts };
}

function asObject(value: Value | undefined): ObjectValue {
  return isObject(value) ? value : {};
}

/** The members of a memory that differ. `objects` contains the entries that differ. Null deletes a member or an entry. */
function memoryChanges(before: ObjectValue, after: ObjectValue): ObjectValue | undefined {
  const changes: Record<string, Value> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [then, now] = [before[name], after[name]];
    if (isDeepStrictEqual(then, now)) continue;
    if (isObject(now ?? null) || (now === undefined && isObject(then ?? null))) {
      const [thenObject, nowObject] = [asObject(then), asObject(now)];
      const keys = new Set([...Object.keys(thenObject), ...Object.keys(nowObject)]);
      changes[name] = Object.fromEntries(
        [...keys]
          .filter((key) => !isDeepStrictEqual(thenObject[key], nowObject[key]))
          .map((key) => [key, nowObject[key] ?? null]),
      );
    } else changes[name] = now ?? null;
  }
  return Object.keys(changes).length === 0 ? undefined : changes;
}

function changed(before: ObjectValue, changes: ObjectValue): ObjectValue {
  const after: Record<string, Value> = { complete: false, objects: {}, ...before };
  for (const [name, change] of Object.entries(changes)) {
    if (!isObject(change)) {
      after[name] = change ?? false;
      continue;
    }
    const entries = { ...asObject(after[name]), ...change };
    after[name] = Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== null));
  }
  return after;
}
