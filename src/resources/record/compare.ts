/** What was asked for, held against what the service shows afterwards (design §3, "After a write"). */
import { NotTaken, type TenancyError } from "../../errors";
import { isMasked, same, shownValue, type Attribute, type Attributes } from "../../schema";
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
  return leaves(attributes, planned, []).filter(
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
        ? leaves(attribute.shape.attributes, after, path)
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

function leaves(attributes: Attributes, planned: ObjectValue, parent: Path): readonly Asked[] {
  return Object.entries(attributes).flatMap(([name, attribute]): readonly Asked[] => {
    const value = planned[name] ?? null;
    const path = [...parent, name];
    if (isUnknown(value)) return [];
    if (attribute.shape.kind !== "group") return [{ path, attribute, value }];
    return isObject(value) ? leaves(attribute.shape.attributes, value, path) : [];
  });
}

/** What a record shows at the path of an attribute; undefined where it shows nothing of it. */
function shownAt(attributes: Attributes, path: Path, record: ObjectValue): Value | undefined {
  const [first, ...rest] = path;
  const attribute = attributes[first ?? ""];
  if (attribute === undefined) return undefined;
  const shown = shownValue(attribute, String(first), record);
  if (rest.length === 0 || shown === undefined) return shown;
  if (attribute.shape.kind !== "group") return undefined;
  return isObject(shown) ? shownAt(attribute.shape.attributes, rest, shown) : null;
}

function wordsFor(value: Value): string {
  if (value === null || (isList(value) && value.length === 0)) return "nothing";
  return plainText(stringifyJson(value), 120);
}
