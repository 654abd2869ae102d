/** Removes the marks from whole values, for code that does not know marks. */
import { emptyObject, type Path, Unknown, type Value } from "./value";
import {
  EPHEMERAL,
  isMarkedList,
  isMarkedObject,
  Mark,
  mark,
  type Marked,
  type Marks,
  NO_MARKS,
  SENSITIVE,
} from "./marks";
import { likewise, ValueSet } from "./types";

/** Removes all marks, and returns their paths. */
export function unmark(value: Marked): {
  readonly value: Value;
  /** Outermost places of sensitive parts; `[[]]` when the whole is. */
  readonly sensitive: readonly Path[];
  /** Outermost places of ephemeral parts. */
  readonly ephemeral: readonly Path[];
} {
  if (!hasMarks(value)) return { value: value as Value, sensitive: [], ephemeral: [] };
  const places: { path: Path; marks: Marks }[] = [];
  const bare = strip(value, (path, marks) => places.push({ path, marks }), [], NO_MARKS);
  const having = (bit: Marks) => places.filter((place) => place.marks & bit).map((place) => place.path);
  return { value: bare, sensitive: having(SENSITIVE), ephemeral: having(EPHEMERAL) };
}

/** Removes all marks, where their places do not matter. */
export function bare(value: Marked): Value {
  return !hasMarks(value) ? (value as Value) : strip(value, () => undefined, [], NO_MARKS);
}

/** Calls `onMarks` with marks that no enclosing part has. */
function strip(value: Marked, onMarks: (path: Path, marks: Marks) => void, path: Path, outer: Marks): Value {
  if (value instanceof Mark) {
    const more = value.marks & ~outer;
    if (more !== NO_MARKS) onMarks(path, more);
    return strip(value.value, onMarks, path, outer | more);
  }
  if (value instanceof ValueSet) return value;
  if (isMarkedList(value)) {
    let isChanged = false;
    const elements = value.map((element, index) => {
      const stripped = strip(element, onMarks, [...path, index], outer);
      isChanged ||= stripped !== element;
      return stripped;
    });
    return isChanged ? likewise(value, elements) : (value as Value);
  }
  if (isMarkedObject(value)) {
    let isChanged = false;
    const members = emptyObject();
    for (const name of Object.keys(value)) {
      const member = value[name] as Marked;
      const stripped = strip(member, onMarks, [...path, name], outer);
      isChanged ||= stripped !== member;
      members[name] = stripped;
    }
    return isChanged ? likewise(value, members) : (value as Value);
  }
  return value;
}

/** True if there is any mark in the value. Most values have none, so this check must be cheap. */
function hasMarks(value: Marked): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Mark) return true;
  if (value instanceof Unknown || value instanceof ValueSet) return false;
  if (isMarkedList(value)) return value.some(hasMarks);
  for (const name in value) if (hasMarks(value[name] ?? null)) return true;
  return false;
}

/** The value with null for every part that is ephemeral. */
export function withoutEphemeral(value: Marked): Marked {
  if (value instanceof Mark) {
    return value.marks & EPHEMERAL ? null : mark(withoutEphemeral(value.value), value.marks);
  }
  if (value instanceof ValueSet) return value;
  if (isMarkedList(value)) return likewise(value, value.map(withoutEphemeral));
  if (!isMarkedObject(value)) return value;
  const members: Record<string, Marked> = emptyObject();
  for (const name of Object.keys(value)) members[name] = withoutEphemeral(value[name] ?? null);
  return likewise(value, members);
}
