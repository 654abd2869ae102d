/** Converts values from one type to another, as Terraform does. */
import { ExpressionFailed } from "../problems";
import { emptyObject, formatPath, isNumber, isUnknown, type Path, type Value } from "../values";
import { formatNumber, parseDecimal, toNumber } from "./decimal";
import {
  allMarksOf,
  isMarkedList,
  isMarkedObject,
  Mark,
  mark,
  type Marked,
  type MarkedObject,
} from "./marks";
import {
  collectionOf,
  describeType,
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

/**
 * Converts a value; null and unknown are of every type.
 * @throws ExpressionFailed where the value cannot be of that type.
 */
export function convert(value: Marked, type: Type, path: Path = []): Marked {
  if (type === "any") return value;
  if (value instanceof Mark) return mark(convert(value.value, type, path), value.marks);
  if (value === null || isUnknown(value)) return value;
  if (typeof type === "string") return convertPrimitive(value, type, path);
  switch (type.kind) {
    case "list":
    case "set":
      return convertSequence(value, type, path);
    case "tuple":
      if (!isMarkedList(value) || value.length !== type.elements.length) {
        throw mismatch(`a list of ${type.elements.length} elements`, value, path);
      }
      return value.map((element, index) => convert(element, type.elements[index] ?? "any", [...path, index]));
    case "map":
      return convertMap(value, type.element, path);
    case "object":
      return convertObject(value, type.members, path);
  }
}

/** Like {@link convert}, but undefined if the value cannot be of that type. Null and unknown are returned as they are. */
export function asPrimitive(value: Marked, type: Primitive): Marked | undefined {
  switch (type) {
    case "string":
      if (isNumber(value)) return formatNumber(value);
      if (typeof value === "boolean") return String(value);
      return typeof value === "string" ? value : undefined;
    case "number":
      return typeof value === "string" ? numberFromText(value) : isNumber(value) ? value : undefined;
    case "bool":
      if (value === "true" || value === "1") return true;
      if (value === "false" || value === "0") return false;
      return typeof value === "boolean" ? value : undefined;
  }
}

function numberFromText(text: string): number | bigint | undefined {
  const decimal = parseDecimal(text);
  return decimal && toNumber(decimal);
}

function convertPrimitive(value: Marked, type: Primitive, path: Path): Marked {
  const converted = asPrimitive(value, type);
  if (converted === undefined) throw mismatch(`a ${type}`, value, path);
  return converted;
}

function convertSequence(value: Marked, type: Extract<Type, { element: Type }>, path: Path): Marked {
  if (!isMarkedList(value)) throw mismatch(`a ${type.kind}`, value, path);
  const element = commonType(type.element, value, path);
  const elements = value.map((member, index) => convert(member, element, [...path, index]));
  if (type.kind === "list")
    return value instanceof ValueSet && !value.isWhole ? value : collectionOf(element, elements);
  const marks = allMarksOf(elements);
  return mark(makeSet(element, bare(elements) as readonly Value[]), marks);
}

function convertMap(value: Marked, element: Type, path: Path): Marked {
  if (!isMarkedObject(value)) throw mismatch("a map", value, path);
  const type = commonType(element, value, path);
  const members: Record<string, Marked> = emptyObject();
  for (const [name, member] of Object.entries(value)) members[name] = convert(member, type, [...path, name]);
  return collectionOf(type, members);
}

/** `list(any)` holds values of one type all the same, whichever that is. */
function commonType(declared: Type, collection: readonly Marked[] | MarkedObject, path: Path): Type {
  if (declared !== "any") return declared;
  const common = elementTypeOf(collection) ?? unify(Object.values<Marked>(collection).map(typeOf));
  if (common === undefined) throw failure("all elements must have the same type", path);
  return common;
}

function convertObject(value: Marked, members: ReadonlyMap<string, MemberType>, path: Path): Marked {
  if (!isMarkedObject(value)) throw mismatch("an object", value, path);
  const converted: Record<string, Marked> = emptyObject();
  for (const [name, { type, optional, default: fallback }] of members) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given === undefined && !optional) throw failure(`attribute "${name}" is required`, path);
    converted[name] = convert(given ?? fallback ?? null, type, [...path, name]);
  }
  return converted;
}

function mismatch(wanted: string, value: Marked, path: Path): ExpressionFailed {
  return failure(`${wanted} is required, and this is a ${describeType(typeOf(value))}`, path);
}

function failure(problem: string, path: Path): ExpressionFailed {
  return new ExpressionFailed(path.length === 0 ? problem : `${formatPath(path)}: ${problem}`);
}
