/** Renders values in Terraform's JSON: unknown values are left out, secret ones are null. */
import {
  emptyObject,
  escapedUnits,
  isList,
  isObject,
  isUnknown,
  type ObjectValue,
  type Path,
  stringifyJson,
  type Value,
} from "../../lib/values";
import type { Secrecy } from "../secrecy";

/** Booleans in the shape of a value: `true` where something holds for it. */
export type SensitiveMarks =
  boolean | readonly SensitiveMarks[] | { readonly [name: string]: SensitiveMarks };

/** A value as JSON, without unknown members; in a list they are null. */
export function jsonValue(value: Value, secret: Secrecy, path: Path = []): Value {
  if (isUnknown(value) || secret(path)) return null;
  if (isList(value)) return value.map((element, index) => jsonValue(element, secret, [...path, index]));
  if (isObject(value)) return mapMembers(value, (member, name) => jsonValue(member, secret, [...path, name]));
  return value;
}

/** True at each unknown part of a value. */
export function unknownMarks(value: Value): SensitiveMarks {
  return marks(value, (part) => isUnknown(part), []);
}

/** Marks secret values, also values that are null because they are secret. */
export function sensitiveMarks(value: Value, secret: Secrecy): SensitiveMarks {
  return marks(value, (_part, path) => secret(path), []);
}

/** In a list each element has its mark; an object has only members with a true mark. */
function marks(value: Value, holds: (part: Value, path: Path) => boolean, path: Path): SensitiveMarks {
  if (holds(value, path)) return true;
  if (isList(value)) return value.map((element, index) => marks(element, holds, [...path, index]));
  if (!isObject(value)) return false;
  const members = Object.create(null) as Record<string, SensitiveMarks>;
  for (const [name, member] of Object.entries(value)) {
    const mark = marks(member, holds, [...path, name]);
    if (mark !== false) members[name] = mark;
  }
  return members;
}

/** True if anything is marked. */
export function isMarked(marks: SensitiveMarks): boolean {
  return typeof marks === "object" ? Object.values(marks).some(isMarked) : marks;
}

function mapMembers(value: ObjectValue, change: (member: Value, name: string) => Value): ObjectValue {
  const changedObject = emptyObject();
  for (const [name, member] of Object.entries(value)) {
    if (!isUnknown(member)) changedObject[name] = change(member, name);
  }
  return changedObject;
}

/** Characters that move, hide or turn text around, which JSON leaves as they are. Only strings can hold them. */
const UNSEEN_IN_JSON = /[\u007f-\u009f\u2028\u2029\p{Cf}\p{Co}]/gu;

/** A value as JSON that may be printed on a terminal: invisible characters are escaped, and reading it returns the same value. */
export function jsonText(value: unknown, indent?: number): string {
  return stringifyJson(value, indent).replace(UNSEEN_IN_JSON, escapedUnits);
}
