/** Sets: arrays that are sorted, hold nothing twice, and cannot be indexed. */
import { isNumber, isUnknown, stringifyJson, type Value } from "../values";
import type { Type } from "./conversions/type";
import { compareText } from "./text-order";

/** A set as expressions make it. To the layers above it is a list, as every set is. */
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

  /** What `map` and the like make of a set is a plain list. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** Whether it is certain how many elements there are. */
  get isWhole(): boolean {
    return !this.some(isUnknown);
  }
}

/** Elements are to be of that type already; see `conversions/`. */
export function makeSet(element: Type, elements: Iterable<Value>): ValueSet {
  const unique = new Map<unknown, Value>();
  for (const member of elements) unique.set(isUnknown(member) ? Symbol() : identity(member), member);
  const set = new ValueSet(element);
  for (const member of [...unique.values()].sort(compare)) set.push(member);
  return set;
}

function identity(value: Value): unknown {
  return typeof value === "object" && value !== null ? writeSorted(value) : value;
}

/** As Terraform orders sets: text by its characters, numbers by size, false before true; the rest in a stable order. */
function compare(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (isUnknown(a) || isUnknown(b)) return Number(isUnknown(a)) - Number(isUnknown(b));
  return compareText(writeSorted(a), writeSorted(b));
}

function writeSorted(value: Value): string {
  return stringifyJson(sortMembers(value));
}

/** Members by name, as pairs, so that equal objects have equal text; unknown parts get a text of their own. */
function sortMembers(value: Value): unknown {
  if (isUnknown(value)) return { unknown: [] };
  if (Array.isArray(value)) return (value as readonly Value[]).map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, member]) => [name, sortMembers(member)]);
}
