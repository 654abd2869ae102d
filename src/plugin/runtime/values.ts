/** Defines values on the wire: their types, their refinements, and details that a `Value` cannot hold. */
import {
  emptyObject,
  formatPath,
  isList,
  isNumber,
  isObject,
  isUnknown,
  normalNumber,
  type Path,
  Unknown,
  type Value,
} from "../../values";
import { exactDecimal, Malformed } from "./msgpack";

// Terraform's types, in the JSON form of the protocol.

/** A type constraint; `dynamic` stands for a value that brings its own type. */
export type Type =
  | "string"
  | "number"
  | "bool"
  | "dynamic"
  | readonly ["list", Type]
  | readonly ["set", Type]
  | readonly ["map", Type]
  | readonly ["object", { readonly [name: string]: Type }]
  | readonly ["tuple", readonly Type[]];

/** Whether a value of this type may have to carry a type of its own. */
export function hasDynamic(type: Type): boolean {
  if (typeof type === "string") return type === "dynamic";
  switch (type[0]) {
    case "object":
      return Object.values(type[1]).some(hasDynamic);
    case "tuple":
      return type[1].some(hasDynamic);
    case "list":
    case "set":
    case "map":
      return hasDynamic(type[1]);
  }
}

/** A type as a reader would say it, for messages. */
export function formatType(type: Type): string {
  if (typeof type === "string") return type === "dynamic" ? "any type" : type;
  if (type[0] === "object" || type[0] === "tuple") return type[0];
  return `${type[0]} of ${formatType(type[1])}`;
}

/** Types nest as deep as configurations. Anything deeper can only be an attack on the stack. */
const DEEPEST = 200;

/**
 * Reads a type from its JSON form.
 * @throws SyntaxError where the text is no type.
 */
export function parseType(text: string): Type {
  return checkType(JSON.parse(text), 0);
}

function checkType(json: unknown, depth: number): Type {
  if (depth > DEEPEST) throw new SyntaxError("a type nests too deep");
  if (json === "string" || json === "number" || json === "bool" || json === "dynamic") return json;
  if (Array.isArray(json) && json.length >= 2) {
    const [kind, of] = json as unknown[];
    if (kind === "list" || kind === "set" || kind === "map") return [kind, checkType(of, depth + 1)];
    if (kind === "tuple" && Array.isArray(of))
      return [kind, of.map((member) => checkType(member, depth + 1))];
    if (kind === "object" && typeof of === "object" && of !== null && !Array.isArray(of)) {
      const attributes = Object.create(null) as Record<string, Type>;
      for (const [name, member] of Object.entries(of)) attributes[name] = checkType(member, depth + 1);
      return [kind, attributes];
    }
  }
  throw new SyntaxError("not a type that Terraform knows");
}

/** The type that a value has by itself, as an expression in Terraform's language would: lists are tuples, maps objects. */
export function impliedType(value: Value): Type {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isNumber(value)) return "number";
  if (isList(value)) return ["tuple", value.map(impliedType)];
  if (!isObject(value)) return "dynamic";
  const attributes = Object.create(null) as Record<string, Type>;
  for (const [name, member] of Object.entries(value)) attributes[name] = impliedType(member);
  return ["object", attributes];
}

/** Whether a value can be sent as one of the given type. */
export function fits(value: Value | undefined, type: Type): boolean {
  if (value === undefined) return false;
  if (value === null || isUnknown(value) || type === "dynamic") return true;
  if (type === "string") return typeof value === "string";
  if (type === "bool") return typeof value === "boolean";
  if (type === "number") return isNumber(value);
  switch (type[0]) {
    case "list":
    case "set":
      return isList(value) && value.every((element) => fits(element, type[1]));
    case "tuple":
      return (
        isList(value) &&
        value.length === type[1].length &&
        type[1].every((member, index) => fits(value[index], member))
      );
    case "map":
      return isObject(value) && Object.values(value).every((element) => fits(element, type[1]));
    case "object": {
      const names = Object.keys(type[1]);
      return (
        isObject(value) &&
        names.length === Object.keys(value).length &&
        names.every((name) => Object.hasOwn(value, name) && fits(value[name], type[1][name] as Type))
      );
    }
  }
}

/** A bound of an unknown number. */
export interface Bound {
  readonly value: number | bigint;
  readonly inclusive: boolean;
}

/** Facts that are certain of an unknown value. */
export interface Refinements {
  readonly notNull?: boolean;
  /** How an unknown string begins. */
  readonly prefix?: string;
  readonly atLeast?: Bound;
  readonly atMost?: Bound;
  /** The least and the greatest number of elements of an unknown collection. */
  readonly minLength?: number;
  readonly maxLength?: number;
}

/**
 * An unknown of which something is certain: core compares what apply makes of it with these promises, so they must
 * survive the way through the provider.
 */
export class RefinedUnknown extends Unknown {
  readonly refinements: Refinements;
  /** The type that an unknown in a place of type `dynamic` brought along. */
  readonly type: Type | undefined;

  constructor(refinements: Refinements, type?: Type) {
    super({ notNull: refinements.notNull ?? false });
    this.refinements = refinements;
    this.type = type;
  }
}

export function refinementsOf(value: Unknown): Refinements {
  return value instanceof RefinedUnknown ? value.refinements : { notNull: value.notNull };
}

/** The keys of refinements on the wire. */
export const refinementKeys = {
  nullness: 1,
  prefix: 2,
  atLeast: 3,
  atMost: 4,
  minLength: 5,
  maxLength: 6,
} as const;

/** The form in which Terraform compares strings: composed accents. */
export function normalString(text: string): string {
  return text.normalize("NFC");
}

/** The value with all its strings, keys included, in normal form. */
export function normalForm(value: Value): Value {
  if (typeof value === "string") return normalString(value);
  if (isList(value)) return value.map(normalForm);
  if (!isObject(value)) return value;
  const object = emptyObject();
  for (const [key, member] of Object.entries(value)) object[normalString(key)] = normalForm(member);
  return object;
}

/** Nobody writes a numeral of this length, and parsing it would delay every other call. */
const LONGEST_NUMERAL = 10_000;

/**
 * Reads a decimal numeral: an integer exactly, a fraction as a double next to it, and never as an integer.
 * @throws Malformed where the text is no number, or a fraction among numbers so great that doubles have none.
 */
function parseNumeral(text: string): number | bigint {
  const parts = /^(-?)(\d*)(?:\.(\d+))?(?:[eE]([-+]?\d{1,5}))?$/.exec(text);
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts ?? [];
  if (whole.length + fraction.length === 0) throw new Malformed("a numeral has other characters than digits");
  const digits = `${whole}${fraction}`;
  const point = whole.length + Number(exponent);
  if (Math.max(digits.length, point) > LONGEST_NUMERAL) throw new Malformed("a numeral is too long");
  const fractional = digits.slice(Math.max(point, 0));
  if (/^0*$/.test(fractional)) {
    const integer = digits.slice(0, Math.max(point, 0)).padEnd(point, "0");
    return normalNumber(BigInt(`${sign}${integer || "0"}`));
  }
  return nearestFraction(Number(text));
}

/** The number itself, or the next one that is not an integer. */
function nearestFraction(value: number): number {
  if (!Number.isInteger(value)) return value;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) + 1n);
  const next = view.getFloat64(0);
  if (Number.isInteger(next)) throw new Malformed("a fraction has more digits than can be held");
  return next;
}

/** A value that its schema doesn't allow. The message tells of kinds only, never of contents: these may be secret. */
export class Nonconformity extends Error {
  readonly path: Path;

  constructor(path: Path, expected: string, found: string) {
    super(`${path.length === 0 ? "the value" : formatPath(path)} must be ${expected}, but is ${found}`);
    this.name = "Nonconformity";
    this.path = path;
  }
}

/**
 * Details of one call's values that a `Value` cannot hold: the digits of numbers that are more exact than a double, and the types in places
 * of type `dynamic`. With them, a value that a resource returns unchanged is sent unchanged, too.
 */
export class WireDetails {
  readonly #numerals = new Map<number, string>();
  readonly #types = new Map<string, { readonly type: Type; readonly isNull: boolean }>();

  /** Reads a decimal numeral; the exact digits are kept where a double loses some. */
  readNumeral(text: string): number | bigint {
    const value = parseNumeral(text);
    if (typeof value === "number" && String(value) !== text) this.#numerals.set(value, text);
    return value;
  }

  /** Takes note of the exact value of a number that came as binary floating point. */
  readFloat(value: number): number {
    if (Number.isNaN(value)) throw new Malformed("not a number");
    return Number.isFinite(value) ? (this.readNumeral(exactDecimal(value)) as number) : value;
  }

  /** The digits to send for a fractional number. */
  writeNumeral(value: number): string {
    return this.#numerals.get(value) ?? String(value);
  }

  /** Takes note of the type that a value in a place of type `dynamic` brought; undefined where it brought none. */
  noteType(place: string, brought: { readonly type: Type; readonly isNull: boolean } | undefined): void {
    if (brought === undefined) this.#types.delete(place);
    else this.#types.set(place, brought);
  }

  /** The type that was brought to this place. A null has one only where a null brought it. */
  typeAt(place: string, isNull: boolean): Type | undefined {
    const brought = this.#types.get(place);
    return brought === undefined || (isNull && !brought.isNull) ? undefined : brought.type;
  }
}
