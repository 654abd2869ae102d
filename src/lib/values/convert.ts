/**
 * Terraform's conversions from one type to another, for all who convert: expressions, variables and the attributes of a schema. Nothing is
 * thrown: the answer may be a {@link Mismatch}, which the caller words.
 */
import {
  allMarksOf,
  isMarkedList,
  isMarkedObject,
  Mark,
  mark,
  type Marked,
  type MarkedObject,
} from "./marks";
import { formatNumber, isInteger, parseDecimal, toNumber } from "./number";
import { normalForm } from "./text";
import {
  collectionOf,
  elementTypeOf,
  makeSet,
  type MemberType,
  type Primitive,
  type Type,
  typeOf,
  unify,
  ValueSet,
} from "./types";
import { bare } from "./unmark";
import { emptyObject, isUnknown, type Path, type Value } from "./value";

/** Why a value cannot be of a type. */
type Reason =
  /** It is of another type. */
  | { readonly kind: "type"; readonly wanted: Type; readonly found: Marked }
  /** A tuple has another number of elements. */
  | { readonly kind: "length"; readonly wanted: number; readonly found: Marked }
  /** The elements of a list, set or map have no type in common. */
  | { readonly kind: "mixed" }
  /** An object lacks a member. */
  | { readonly kind: "absent"; readonly name: string };

/** That a value cannot be of a type: where in the value, and why. */
export class Mismatch {
  constructor(
    readonly reason: Reason,
    readonly path: Path = [],
  ) {}

  /** The same, as seen from the value that has this one as an element or member. */
  within(step: string | number): Mismatch {
    return new Mismatch(this.reason, [step, ...this.path]);
  }
}

/** Converts a value; null and unknown are of every type. */
export function convert(value: Marked, type: Type): Marked | Mismatch {
  if (type === "any") return value;
  if (value instanceof Mark) {
    const inner = convert(value.value, type);
    return inner instanceof Mismatch ? inner : mark(inner, value.marks);
  }
  if (value === null || isUnknown(value)) return value;
  if (typeof type === "string") return asPrimitive(value, type) ?? notOf(type, value);
  switch (type.kind) {
    case "list":
    case "set":
      return convertSequence(value, type);
    case "tuple":
      if (!isMarkedList(value) || value.length !== type.elements.length)
        return new Mismatch({ kind: "length", wanted: type.elements.length, found: value });
      return convertElements(value, (index) => type.elements[index] ?? "any");
    case "map":
      return convertMap(value, type);
    case "object":
      return convertObject(value, type);
  }
}

/** A scalar as another type of scalar; undefined if it cannot be of that type, as null, unknown and all else cannot. */
export function asPrimitive(value: Marked, type: "string"): string | undefined;
export function asPrimitive(value: Marked, type: "number"): number | bigint | undefined;
export function asPrimitive(value: Marked, type: "bool"): boolean | undefined;
export function asPrimitive(value: Marked, type: Primitive): string | number | bigint | boolean | undefined;
export function asPrimitive(value: Marked, type: Primitive): string | number | bigint | boolean | undefined {
  switch (type) {
    case "string":
      if (typeof value === "string") return normalForm(value);
      if (typeof value === "boolean") return String(value);
      return isFinite(value) ? formatNumber(value) : undefined;
    case "number":
      if (typeof value !== "string") return isFinite(value) ? value : undefined;
      return numberFromText(value);
    case "bool":
      if (value === "true" || value === "1") return true;
      if (value === "false" || value === "0") return false;
      return typeof value === "boolean" ? value : undefined;
  }
}

/** A scalar as a whole number; undefined if it is none. */
export function asInteger(value: Marked): number | bigint | undefined {
  if (typeof value !== "string") return isInteger(value) ? value : undefined;
  const decimal = parseDecimal(value);
  // A fraction that is too small for a double is none the less one.
  return decimal?.scale === 0 ? toNumber(decimal) : undefined;
}

function isFinite(value: Marked): value is number | bigint {
  return typeof value === "number" ? Number.isFinite(value) : typeof value === "bigint";
}

function numberFromText(text: string): number | bigint | undefined {
  const decimal = parseDecimal(text);
  return decimal && toNumber(decimal);
}

function notOf(type: Type, value: Marked): Mismatch {
  return new Mismatch({ kind: "type", wanted: type, found: value });
}

function convertElements(elements: readonly Marked[], typeAt: (index: number) => Type): Marked[] | Mismatch {
  const converted: Marked[] = [];
  for (const [index, element] of elements.entries()) {
    const result = convert(element, typeAt(index));
    if (result instanceof Mismatch) return result.within(index);
    converted.push(result);
  }
  return converted;
}

function convertSequence(value: Marked, type: Extract<Type, { element: Type }>): Marked | Mismatch {
  if (!isMarkedList(value)) return notOf(type, value);
  const element = commonType(type.element, value);
  if (element === undefined) return new Mismatch({ kind: "mixed" });
  const elements = convertElements(value, () => element);
  if (elements instanceof Mismatch) return elements;
  if (type.kind === "list")
    return value instanceof ValueSet && !value.isWhole ? value : collectionOf(element, elements);
  const marks = allMarksOf(elements);
  return mark(makeSet(element, bare(elements) as readonly Value[]), marks);
}

function convertMap(value: Marked, type: Extract<Type, { element: Type }>): Marked | Mismatch {
  if (!isMarkedObject(value)) return notOf(type, value);
  const element = commonType(type.element, value);
  if (element === undefined) return new Mismatch({ kind: "mixed" });
  const members: Record<string, Marked> = emptyObject();
  for (const [name, member] of Object.entries(value)) {
    const converted = convert(member, element);
    if (converted instanceof Mismatch) return converted.within(name);
    members[name] = converted;
  }
  return collectionOf(element, members);
}

/** `list(any)` also holds values of one common type; undefined if there is none. */
function commonType(declaredType: Type, collection: readonly Marked[] | MarkedObject): Type | undefined {
  if (declaredType !== "any") return declaredType;
  return elementTypeOf(collection) ?? unify(Object.values<Marked>(collection).map(typeOf));
}

function convertObject(
  value: Marked,
  type: Type & { readonly members: ReadonlyMap<string, MemberType> },
): Marked | Mismatch {
  if (!isMarkedObject(value)) return notOf(type, value);
  const converted: Record<string, Marked> = emptyObject();
  for (const [name, { type: memberType, optional, default: fallback }] of type.members) {
    const declaredMember = Object.hasOwn(value, name) ? value[name] : undefined;
    if (declaredMember === undefined && !optional) return new Mismatch({ kind: "absent", name });
    const member = convert(declaredMember ?? fallback ?? null, memberType);
    if (member instanceof Mismatch) return member.within(name);
    converted[name] = member;
  }
  return converted;
}
