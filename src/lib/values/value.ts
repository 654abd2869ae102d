/** Defines values: JSON, exact integers, and unknowns; and the path to a value inside an object. */

/** A type as Terraform writes it in JSON. */
export type JsonType =
  | "string"
  | "number"
  | "bool"
  | "dynamic"
  | readonly ["list" | "set" | "map", JsonType]
  | readonly ["tuple", readonly JsonType[]]
  | readonly ["object", Readonly<Record<string, JsonType>>];

/**
 * A value of one attribute or expression.
 *
 * Integers beyond 2^53 are `bigint`, all other numbers `number` (see {@link normalNumber}); lists and sets are both
 * arrays, which of the two it is the schema knows. Objects may have any own key, `__proto__` among them, so they are
 * made with {@link emptyObject} wherever a key comes from outside.
 */
export type Value = null | boolean | string | number | bigint | Unknown | readonly Value[] | ObjectValue;

/** An object or a map. */
export interface ObjectValue {
  readonly [name: string]: Value;
}

/** An object under construction, without a prototype, so that no key has a meaning of its own. */
export function emptyObject(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>;
}

export function isObject(value: Value | undefined): value is ObjectValue {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Unknown);
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** The value where it is text. */
export function textOf(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** True if no part of the value is unknown. */
export function isWhollyKnown(value: Value): boolean {
  if (value instanceof Unknown) return false;
  if (isList(value)) return value.every(isWhollyKnown);
  if (isObject(value)) return Object.values(value).every(isWhollyKnown);
  return true;
}

/** The text of a value that only the apply will know, also as a part of a name. */
export const UNKNOWN_TEXT = "(known after apply)";

/** The text of a value that may not be shown. */
export const SENSITIVE_TEXT = "(sensitive value)";

/** True if a name has no part that only the apply will know. */
export function isKnownText(text: string): boolean {
  return !text.includes(UNKNOWN_TEXT);
}

/** A value that only the apply will know. */
export class Unknown {
  /** Set where it is certain already that the value will not be null. */
  readonly notNull: boolean;
  /** The attributes of an object of a known shape: to ask for another one is a mistake already. */
  readonly members: ReadonlyMap<string, Unknown> | undefined;

  constructor(options: { notNull?: boolean; members?: ReadonlyMap<string, Unknown> } = {}) {
    this.notNull = options.notNull ?? false;
    this.members = options.members;
  }

  toString(): string {
    return UNKNOWN_TEXT;
  }

  /** An unknown that reaches JSON is a mistake of the program: JSON has no word for it. @internal */
  toJSON(): never {
    throw new TypeError("an unknown value cannot be written as JSON");
  }
}

/** The unknown of which nothing else is known. */
export const UNKNOWN = new Unknown();

/** A value that a snapshot of the service does not hold. It will not be looked up, so all such values are the same. */
export const NOT_IN_SNAPSHOT = new Unknown();

export function isUnknown(value: unknown): value is Unknown {
  return value instanceof Unknown;
}

/** True if only the apply will know the value. A value that a snapshot lacks exists already. */
export function isKnownAfterApply(value: unknown): value is Unknown {
  return value instanceof Unknown && value !== NOT_IN_SNAPSHOT;
}

/**
 * Sets a member of a plain object under any name. Objects with a prototype are several times faster to make and to read than those of
 * {@link emptyObject}; this is for the kinds of objects that a large stack has many of.
 */
export function setMember<T>(object: Record<string, T>, name: string, value: T): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Deep equality. An unknown equals nothing, not even itself: it may turn out to be anything. A value that a snapshot lacks equals itself,
 * since all such values look the same.
 */
export function equal(a: Value | undefined, b: Value | undefined): boolean {
  if (a === NOT_IN_SNAPSHOT && b === NOT_IN_SNAPSHOT) return true;
  if (isUnknown(a) || isUnknown(b)) return false;
  if (a === b) return true;
  if (isList(a) && isList(b))
    return a.length === b.length && a.every((element, index) => equal(element, b[index]));
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
    );
  }
  return false;
}

/**
 * Immutable data: lists and plain objects with all their members. Instances of classes are frozen, and not entered.
 * @returns the very value
 */
export function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  if (Array.isArray(value)) for (const element of value as readonly unknown[]) frozen(element);
  else if (isPlain(value)) for (const member of Object.values(value)) frozen(member);
  return value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The value at a path of names; null if there is none, unknown where something on the way is. */
export function valueAt(value: Value | undefined, path: Path): Value {
  let inner: Value = value ?? null;
  for (const step of path) {
    if (isUnknown(inner)) return UNKNOWN;
    if (!isObject(inner) || !Object.hasOwn(inner, step)) return null;
    inner = inner[step] ?? null;
  }
  return inner;
}

/** The object with another value at a path of names; groups on the way that are null come into being. */
export function withValueAt(object: Value | undefined, path: Path, value: Value): Value {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const outer = isObject(object) ? object : {};
  return { ...outer, [first]: withValueAt(outer[first], rest, value) };
}

// Paths.

/** Attribute names, list indexes and map keys, from the outside in. */
export type Path = readonly (string | number)[];

/** `["limits", "vss_num"]` → `limits.vss_num`; `["address", "addr", 0]` → `address.addr[0]`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    if (!/^[A-Za-z_][\w-]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}

/** The reverse of {@link formatPath} for paths of attribute names alone, such as those in `unset`. */
export function parsePath(text: string): Path {
  return text.split(".");
}

export function startsWith(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((step, index) => path[index] === step);
}

export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && startsWith(a, b);
}
