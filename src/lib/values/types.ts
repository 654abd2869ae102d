/** Defines the types of Terraform's language, and finds the type that several values have in common. */
import { sortedJson } from "./json";
import { isMarkedList, Mark, type Marked } from "./marks";
import { isNumber } from "./number";
import { compareText } from "./text";
import { isUnknown, type JsonType, type Value } from "./value";

/** Types of Terraform's language, as variables declare them and as conversions aim at them. */
export type Primitive = "string" | "number" | "bool";

export type Type =
  | Primitive
  /** The value may be of any type. */
  | "any"
  | { readonly kind: "list" | "set" | "map"; readonly element: Type }
  | { readonly kind: "tuple"; readonly elements: readonly Type[] }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, MemberType> };

export interface MemberType {
  readonly type: Type;
  /** True if the member may be left out; it is null then, or the default. */
  readonly optional?: boolean;
  readonly default?: Value;
}

/** The type of a value; `any` if only the apply will know it, and for null. */
export function typeOf(value: Marked): Type {
  if (value instanceof Mark) return typeOf(value.value);
  if (value === null || isUnknown(value)) return "any";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isNumber(value)) return "number";
  const element = elementTypeOf(value);
  if (isMarkedList(value)) {
    if (element === undefined) return { kind: "tuple", elements: value.map(typeOf) };
    return { kind: value instanceof ValueSet ? "set" : "list", element };
  }
  if (element !== undefined) return { kind: "map", element };
  const members = Object.entries(value).map(([name, member]) => [name, { type: typeOf(member) }] as const);
  return { kind: "object", members: new Map(members) };
}

/** A word for messages: `number`, `list`, `object`. */
export function describeType(type: Type): string {
  if (typeof type === "string") return type === "any" ? "value" : type;
  return type.kind === "tuple" ? "list" : type.kind;
}

// Sets: arrays that are sorted, hold nothing twice, and cannot be indexed.

/** A set as expressions make it. For the layers above it is a list, as every set is. */
export class ValueSet extends Array<Value> {
  /** The type of its elements. No member that others could see: to them a set is a list. */
  readonly #element: Type;

  constructor(element: Type) {
    super();
    this.#element = element;
  }

  get element(): Type {
    return this.#element;
  }

  /** `map` and similar methods of a set return a plain list. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** True if it is certain how many elements there are. */
  get isWhole(): boolean {
    return !this.some(isUnknown);
  }
}

/** Elements are to be of that type already; see `convert`. */
export function makeSet(element: Type, elements: Iterable<Value>): ValueSet {
  const unique = new Map<unknown, Value>();
  for (const member of elements) unique.set(isUnknown(member) ? Symbol() : identity(member), member);
  const set = new ValueSet(element);
  for (const member of [...unique.values()].sort(compareElements)) set.push(member);
  return set;
}

function identity(value: Value): unknown {
  return typeof value === "object" && value !== null ? sortedJson(value) : value;
}

/** As Terraform orders sets: text by its characters, numbers by size, false before true; the rest in a stable order. */
function compareElements(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (isUnknown(a) || isUnknown(b)) return Number(isUnknown(a)) - Number(isUnknown(b));
  return compareText(sortedJson(a), sortedJson(b));
}

// Unification: one type for several values, such as the two sides of a conditional or the elements of a list.

/** Undefined if there is none. */
export function unify(types: readonly Type[]): Type | undefined {
  const [first, ...rest] = types.filter((type) => type !== "any");
  return rest.reduce<Type | undefined>((common, type) => common && unifyTwo(common, type), first ?? "any");
}

function unifyTwo(a: Type, b: Type): Type | undefined {
  if (a === b) return a;
  if (a === "any") return b;
  if (b === "any") return a;
  if (typeof a === "string" || typeof b === "string") return unifyPrimitives(a, b);
  if (a.kind === "tuple" && b.kind === "tuple" && a.elements.length === b.elements.length) {
    return unifyTuples(a.elements, b.elements);
  }
  if (isSequence(a) && isSequence(b)) {
    const element = unify([...elementsOf(a), ...elementsOf(b)]);
    const kind = a.kind === "set" || b.kind === "set" ? "set" : "list";
    return element && { kind, element };
  }
  if (a.kind === "object" && b.kind === "object") {
    const [left, right] = [a.members, b.members];
    if (left.size === right.size && [...left.keys()].every((name) => right.has(name)))
      return unifyObjects(left, right);
  }
  if (isMapping(a) && isMapping(b)) {
    const element = unify([...elementsOf(a), ...elementsOf(b)]);
    return element && { kind: "map", element };
  }
  return undefined;
}

/** Numbers and truth values can both be text, and not each other. */
function unifyPrimitives(a: Type, b: Type): Type | undefined {
  if (typeof a !== "string" || typeof b !== "string") return undefined;
  return a === "string" || b === "string" ? "string" : undefined;
}

function unifyTuples(a: readonly Type[], b: readonly Type[]): Type | undefined {
  const elements = a.map((type, index) => unifyTwo(type, b[index] ?? "any"));
  return elements.every((type) => type !== undefined) ? { kind: "tuple", elements } : undefined;
}

function unifyObjects(
  a: ReadonlyMap<string, MemberType>,
  b: ReadonlyMap<string, MemberType>,
): Type | undefined {
  const members = new Map<string, MemberType>();
  for (const [name, member] of a) {
    const type = unifyTwo(member.type, b.get(name)?.type ?? "any");
    if (type === undefined) return undefined;
    members.set(name, { type });
  }
  return { kind: "object", members };
}

type Structure = Exclude<Type, string>;

function isSequence(type: Structure): boolean {
  return type.kind === "list" || type.kind === "set" || type.kind === "tuple";
}

function isMapping(type: Structure): boolean {
  return type.kind === "map" || type.kind === "object";
}

function elementsOf(type: Structure): readonly Type[] {
  if (type.kind === "tuple") return type.elements;
  if (type.kind === "object") return [...type.members.values()].map((member) => member.type);
  return [type.element];
}

/** True if two types are one and the same; whether members may be left out does not count. */
export function isSameType(a: Type, b: Type): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  switch (a.kind) {
    case "list":
    case "set":
    case "map":
      return b.kind === a.kind && isSameType(a.element, b.element);
    case "tuple":
      return (
        b.kind === "tuple" &&
        a.elements.length === b.elements.length &&
        a.elements.every((type, index) => isSameType(type, b.elements[index] ?? "any"))
      );
    case "object":
      return b.kind === "object" && haveSameMemberTypes(a.members, b.members);
  }
}

function haveSameMemberTypes(
  a: ReadonlyMap<string, MemberType>,
  b: ReadonlyMap<string, MemberType>,
): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, { type }]) => {
    const other = b.get(name);
    return other !== undefined && isSameType(type, other.type);
  });
}

export function jsonType(type: Type): JsonType {
  if (typeof type === "string") return type === "any" ? "dynamic" : type;
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return [type.kind, jsonType(type.element)];
    case "tuple":
      return ["tuple", type.elements.map(jsonType)];
    case "object": {
      const members = Object.create(null) as Record<string, JsonType>;
      for (const [name, member] of type.members) members[name] = jsonType(member.type);
      return ["object", members];
    }
  }
}

// Notes that make an array a list, or an object a map: all elements have the noted type. An array without a note is a tuple, whose elements
// have types of their own; an object without a note is a plain object. Sets need no note.

const elementTypes = new WeakMap<object, Type>();

/** Makes a list or map of a new array or object, whose elements have that type already. */
export function collectionOf<T extends object>(element: Type, members: T): T {
  elementTypes.set(members, element);
  return members;
}

/** Makes a list or map of something new, with elements of the same type, where the original is a collection. */
export function likewise<T extends object>(original: object, members: T): T {
  const element = elementTypeOf(original);
  return element === undefined ? members : collectionOf(element, members);
}

/** Undefined if each part has a type of its own. */
export function elementTypeOf(collection: object): Type | undefined {
  return collection instanceof ValueSet ? collection.element : elementTypes.get(collection);
}
