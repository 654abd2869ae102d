/** Checks JSON of any source: a value has the expected shape, or a {@link Misshapen} says which part of it does not. */
import { isInteger } from "./number";
import { isList, isObject, type ObjectValue, type Value } from "./value";

/** A value of another shape. The message has its place and the expected shape, and never the value. */
export class Misshapen extends TypeError {
  constructor(place: string, expectation: string) {
    super(`${place} is not ${expectation}`);
  }
}

/**
 * Gives the value typed: the very same one, members that the shape does not name included.
 * @param place of the value, as in `parts[0].tokens[2]`; empty for a whole document
 * @throws Misshapen
 */
export type Shape<T> = (value: Value | undefined, place: string) => T;

/** The type that a shape gives. */
export type Shaped<S> = S extends Shape<infer T> ? T : never;

type Members = Readonly<Record<string, Shape<unknown>>>;

type OptionalName<M extends Members> = {
  [Name in keyof M]: undefined extends Shaped<M[Name]> ? Name : never;
}[keyof M];

type ShapedObject<M extends Members> = {
  readonly [Name in Exclude<keyof M, OptionalName<M>>]: Shaped<M[Name]>;
} & { readonly [Name in OptionalName<M>]?: Exclude<Shaped<M[Name]>, undefined> };

function valueOf<T extends Value>(expectation: string, fits: (value: Value) => value is T): Shape<T> {
  return (value, place) => {
    if (value === undefined || !fits(value)) throw new Misshapen(place, expectation);
    return value;
  };
}

export const text = valueOf("a string", (value): value is string => typeof value === "string");
export const textOrNull = valueOf(
  "a string or null",
  (value): value is string | null => value === null || typeof value === "string",
);
export const flag = valueOf("true or false", (value): value is boolean => typeof value === "boolean");
export const number = valueOf(
  "a number",
  (value): value is number | bigint => typeof value === "number" || typeof value === "bigint",
);
export const integer = valueOf("an integer", isInteger);
export const anyObject = valueOf("an object", isObject);
export const anyList = valueOf("a list", isList);
/** Any value but an absent one. */
export const anything = valueOf("there", (_value): _value is Value => true);

export function oneOf<const T extends string>(...texts: readonly T[]): Shape<T> {
  return valueOf(`one of ${texts.join(", ")}`, (value): value is T => texts.some((one) => one === value));
}

/** A value that fulfils a condition in addition to its shape. */
export function where<T>(shape: Shape<T>, expectation: string, isFit: (value: T) => boolean): Shape<T> {
  return (value, place) => {
    const shaped = shape(value, place);
    if (!isFit(shaped)) throw new Misshapen(place, expectation);
    return shaped;
  };
}

/** A value that fits one of several shapes. */
export function either<A, B>(first: Shape<A>, second: Shape<B>, expectation: string): Shape<A | B> {
  return (value, place) => {
    for (const shape of [first, second])
      try {
        return shape(value, place);
      } catch (error) {
        if (!(error instanceof Misshapen)) throw error;
      }
    throw new Misshapen(place, expectation);
  };
}

export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, place) => (value === undefined ? undefined : shape(value, place));
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value, place) => (value === null ? null : shape(value, place));
}

export function listOf<T>(element: Shape<T>): Shape<readonly T[]> {
  return (value, place) => {
    anyList(value, place).forEach((one, index) => element(one, `${place}[${index}]`));
    return value as readonly T[];
  };
}

/** An object of any names. Errors count its members, since their names may be secret. */
export function mapOf<T>(member: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return (value, place) => {
    Object.values(anyObject(value, place)).forEach((one, index) => member(one, `${place}{${index}}`));
    return value as Readonly<Record<string, T>>;
  };
}

/** An object with these members, and perhaps others. */
export function objectOf<M extends Members>(members: M): Shape<ShapedObject<M>> {
  const shapes = Object.entries(members);
  return (value, place) => {
    const object = anyObject(value, place);
    for (const [name, shape] of shapes)
      shape(ownMember(object, name), place === "" ? name : `${place}.${name}`);
    return value as ShapedObject<M>;
  };
}

export function ownMember(object: ObjectValue, name: string | number): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
