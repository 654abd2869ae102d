/**
 * Splits a state's document into two files, so that the entries of objects, which are many, are written once at the end of a run. Until then the run's
 * changes of it are in the file of the secrets: after a killed run, the next one remembers as much as the killed one did.
 */
import { isDeepStrictEqual } from "node:util";
import { isObject, type ObjectValue, type Value } from "../lib/values";

/** The member of a part in the secrets' file with the changes since the objects' file. */
const CHANGES = "object_changes";

function splitParts(document: ObjectValue | undefined) {
  const list = document?.["parts"];
  return (Array.isArray(list) ? list : []).filter(isObject).map((part) => {
    const { objects, ...rest } = part;
    const name = [part["origin"], part["stack"], part["provider"]].map((one) => one ?? null);
    return { key: JSON.stringify(name), objects, rest };
  });
}

/**
 * The two files of a document.
 * @param objectsAsTheyAre the objects' file, if it is not to be written; the changes since then go into the other file
 */
export function splitDocument(
  document: ObjectValue,
  objectsAsTheyAre: ObjectValue | undefined,
): { readonly secrets: ObjectValue; readonly objects: ObjectValue } {
  const objects =
    objectsAsTheyAre ??
    Object.fromEntries(
      splitParts(document).flatMap(({ key, objects }) =>
        objects === undefined ? [] : [[key, objects] as const],
      ),
    );
  const parts = splitParts(document).map(({ key, objects: own, rest }) => {
    const changes = changesOfObjects(asObject(objects[key]), asObject(own));
    return changes === undefined ? rest : { ...rest, [CHANGES]: changes };
  });
  return { secrets: { ...document, parts }, objects };
}

/** The whole document again. */
export function joinedFiles(secrets: ObjectValue, objects: ObjectValue): ObjectValue {
  const parts = splitParts(secrets).map(({ key, rest }) => {
    const { [CHANGES]: changes, ...part } = rest;
    const whole = changes === undefined ? objects[key] : changed(asObject(objects[key]), asObject(changes));
    return whole === undefined ? part : { ...part, objects: whole };
  });
  return { ...secrets, parts };
}

function asObject(value: Value | undefined): ObjectValue {
  return isObject(value) ? value : {};
}

/** The members of an entry that differ. `objects` contains the entries that differ. Null deletes a member or an entry. */
function changesOfObjects(before: ObjectValue, after: ObjectValue): ObjectValue | undefined {
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
