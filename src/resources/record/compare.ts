/** What was asked for, held against what the service shows afterwards (design: After a write). */
import { NotTaken, type TenancyError } from "../../errors";
import { isMasked, locatedIn, same, shownValue, type Attribute, type Attributes } from "../../schema";
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

/** A value that a request carried: of one attribute, or of a group of them. What is unknown in it was not sent. */
export interface Asked {
  readonly path: Path;
  readonly attribute: Attribute;
  readonly value: Value;
}

/** A value of one attribute that the service did not take. */
export interface Mismatch extends Asked {
  readonly shown: Value;
}

/** What a create asks for: all that is planned, and that a create takes. */
export function askedOnCreate(attributes: Attributes, planned: ObjectValue): readonly Asked[] {
  return locatedIn(attributes)
    .map(({ name, path, attribute }): Asked => ({ path, attribute, value: planned[name] ?? null }))
    .filter(
      ({ attribute, value }) => isComparable(attribute) && attribute.sentWith !== "update" && value !== null,
    );
}

/** The changes that a PATCH carries. */
export function askedByChanges(
  changes: readonly { readonly path: Path; readonly attribute: Attribute; readonly after: Value }[],
): readonly Asked[] {
  return changes
    .map(({ path, attribute, after }): Asked => ({ path, attribute, value: after }))
    .filter(({ attribute }) => isComparable(attribute));
}

/** Members that are masked or absent from the answer are exempt: what they are nobody can tell. */
export function mismatches(
  attributes: Attributes,
  planned: ObjectValue,
  asked: readonly Asked[],
  records: Records,
): readonly Mismatch[] {
  const found: Mismatch[] = [];
  for (const { path, attribute, value } of asked) {
    const record = attributes[path[0] ?? ""]?.of === "primary" ? records.primary : records.self;
    const { codec } = attribute;
    if (codec !== undefined) {
      if (record === undefined || isUnknown(value)) continue;
      for (const { path: within, ...difference } of codec.differences(value, record, planned))
        found.push({ path: [...path, ...within], attribute, ...difference });
      continue;
    }
    const shown = record === undefined ? undefined : shownAt(attributes, path, record);
    compare([...path], attribute, value, shown, found);
  }
  return found;
}

/** @param trail the place that is being looked at: grows and shrinks, and is copied only into what is found */
function compare(
  trail: (string | number)[],
  attribute: Attribute,
  value: Value,
  shown: Value | undefined,
  found: Mismatch[],
): void {
  if (shown === undefined || isUnknown(value)) return;
  const { shape, masked } = attribute;
  if (shape.kind === "group" && isObject(value)) {
    for (const { name, attribute: member } of locatedIn(shape.attributes)) {
      if (!isComparable(member)) continue;
      trail.push(name);
      const inner = isObject(shown) ? shownValue(member, name, shown) : null;
      compare(trail, member, value[name] ?? null, inner, found);
      trail.pop();
    }
    return;
  }
  if (same(attribute, value, shown) || (masked && typeof shown === "string" && isMasked(shown))) return;
  found.push({ path: [...trail], attribute, value, shown });
}

/** One mismatch as an error at its attribute. */
export function notTaken(noun: string, key: string, { path, attribute, shown }: Mismatch): TenancyError {
  return new NotTaken(noun, key, attribute.sensitive ? "another one" : wordsFor(shown), { attribute: path });
}

function isComparable({ sentWith, shown, writeOnly }: Attribute): boolean {
  return sentWith !== "never" && shown && !writeOnly;
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
