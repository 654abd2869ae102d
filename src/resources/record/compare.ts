/** What was asked for, held against what the service shows afterwards (design: After a write). */
import { NotTaken, type TenancyError } from "../../errors";
import {
  isMasked,
  locatedIn,
  same,
  shownValue,
  type Attribute,
  type Attributes,
  type Located,
} from "../../schema";
import {
  isList,
  isObject,
  isUnknown,
  plainText,
  stringifyJson,
  type ObjectValue,
  type Path,
  type Value,
} from "../../values";
import type { Records } from "../family";

/** A value that a request carried. */
export interface Asked {
  readonly path: Path;
  readonly attribute: Attribute;
  readonly value: Value;
}

/** A value that the service did not take. */
export interface Mismatch extends Asked {
  readonly shown: Value;
}

/** What a create asks for: all that is planned and known, and that a create takes. */
export function askedOnCreate(attributes: Attributes, planned: ObjectValue): readonly Asked[] {
  return leaves(locatedIn(attributes), planned).filter(
    ({ attribute, value, path }) =>
      isComparable(attribute) && attribute.sentWith !== "update" && (value !== null || path.length > 1),
  );
}

/** The members of the changes that a PATCH carries, one by one. */
export function askedByChanges(
  changes: readonly { readonly path: Path; readonly attribute: Attribute; readonly after: Value }[],
): readonly Asked[] {
  return changes
    .flatMap(({ path, attribute, after }): readonly Asked[] =>
      attribute.shape.kind === "group" && isObject(after)
        ? leaves(locatedIn(attribute.shape.attributes), after).map((one) => ({
            ...one,
            path: [...path, ...one.path],
          }))
        : [{ path, attribute, value: after }],
    )
    .filter(({ attribute, value }) => isComparable(attribute) && !isUnknown(value));
}

/** Members that are masked or absent from the answer are exempt: what they are nobody can tell. */
export function mismatches(
  attributes: Attributes,
  asked: readonly Asked[],
  records: Records,
): readonly Mismatch[] {
  return asked.flatMap((one) => {
    const record = attributes[one.path[0] ?? ""]?.of === "primary" ? records.primary : records.self;
    const shown = record === undefined ? undefined : shownAt(attributes, one.path, record);
    if (shown === undefined || same(one.attribute, one.value, shown)) return [];
    if (one.attribute.masked && typeof shown === "string" && isMasked(shown)) return [];
    return [{ ...one, shown }];
  });
}

/** One mismatch as an error at its attribute. */
export function notTaken(noun: string, key: string, { path, attribute, shown }: Mismatch): TenancyError {
  return new NotTaken(noun, key, attribute.sensitive ? "another one" : wordsFor(shown), { attribute: path });
}

function isComparable({ sentWith, shown, writeOnly }: Attribute): boolean {
  return sentWith !== "never" && shown && !writeOnly;
}

function leaves(located: readonly Located[], planned: ObjectValue, found: Asked[] = []): readonly Asked[] {
  for (const { name, path, attribute, members } of located) {
    const value = planned[name] ?? null;
    if (isUnknown(value)) continue;
    if (attribute.shape.kind !== "group") found.push({ path, attribute, value });
    else if (isObject(value)) leaves(members, value, found);
  }
  return found;
}

/** What a record shows at the path of an attribute; undefined where it shows nothing of it. */
function shownAt(attributes: Attributes, path: Path, record: ObjectValue, depth = 0): Value | undefined {
  const name = String(path[depth] ?? "");
  const attribute = attributes[name];
  if (attribute === undefined) return undefined;
  const shown = shownValue(attribute, name, record);
  if (depth === path.length - 1 || shown === undefined) return shown;
  if (attribute.shape.kind !== "group") return undefined;
  return isObject(shown) ? shownAt(attribute.shape.attributes, path, shown, depth + 1) : null;
}

function wordsFor(value: Value): string {
  if (value === null || (isList(value) && value.length === 0)) return "nothing";
  return plainText(stringifyJson(value), 120);
}
