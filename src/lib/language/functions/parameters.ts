/** Defines the parameters of functions: each converts its argument, as Terraform does. */
import { type ExpressionError, expressionFailed } from "../../../problems";
import {
  describeType,
  isMarkedList,
  isMarkedObject,
  type Marked,
  type MarkedObject,
  type Type,
  typeOf,
  type Value,
  ValueSet,
} from "../../values";
import { convertOrFail } from "../convert";

export interface Parameter<T> {
  readonly name: string;
  /** @throws expressionFailed if the argument is of no use. */
  readonly read: (argument: Marked) => T;
  readonly nullable?: boolean;
  readonly optional?: boolean;
  /** Takes this argument and all behind it. */
  readonly rest?: boolean;
  readonly takesUnknown?: boolean;
}

function parameterOf<T>(name: string, type: Type): Parameter<T> {
  return { name, read: (argument) => convertOrFail(argument, type) as T };
}

export const text = (name: string) => parameterOf<string>(name, "string");
export const number = (name: string) => parameterOf<number | bigint>(name, "number");

/** A whole number that counts something. */
export function integer(name: string): Parameter<number> {
  return {
    name,
    read(argument) {
      const value = convertOrFail(argument, "number");
      if (typeof value !== "number" || !Number.isSafeInteger(value)) {
        throw expressionFailed.error("a whole number is required");
      }
      return value;
    },
  };
}

export const textList = (name: string) =>
  parameterOf<readonly (string | null)[]>(name, { kind: "list", element: "string" });
export const numberList = (name: string) =>
  parameterOf<readonly (number | bigint | null)[]>(name, { kind: "list", element: "number" });
/** A list, with the common type of its elements. */
export const anyList = (name: string) =>
  parameterOf<readonly Marked[]>(name, { kind: "list", element: "any" });
/** A set, with the common type of its elements. */
export const anySet = (name: string) => parameterOf<ValueSet>(name, { kind: "set", element: "any" });

/** A list or tuple, without a conversion. */
export function list(name: string): Parameter<readonly Marked[]> {
  return {
    name,
    read(argument) {
      if (!isMarkedList(argument) || argument instanceof ValueSet) throw errorOnKind("a list", argument);
      return argument;
    },
  };
}

/** A list, tuple or set, without a conversion. */
export function sequence(name: string): Parameter<readonly Marked[]> {
  return {
    name,
    read(argument) {
      if (!isMarkedList(argument)) throw errorOnKind("a list or set", argument);
      return argument;
    },
  };
}

/** A set without a conversion, or a list with the common type of its elements. */
export function listOrSet(name: string): Parameter<readonly Marked[]> {
  return {
    name,
    read: (argument) => (argument instanceof ValueSet ? argument : anyList(name).read(argument)),
  };
}

/** A map or object, without a conversion. */
export function mapping(name: string): Parameter<MarkedObject> {
  return {
    name,
    read(argument) {
      if (!isMarkedObject(argument)) throw errorOnKind("a map", argument);
      return argument;
    },
  };
}

/** Anything without marks, for functions of known values; null included. */
export function value(name: string): Parameter<Value> {
  return { name, nullable: true, read: (argument) => argument as Value };
}

/** Any value without a conversion, for functions of structure; null and unknown included. */
export function anything(name: string): Parameter<Marked> {
  return { name, nullable: true, takesUnknown: true, read: (argument) => argument };
}

export function optional<T>(parameter: Parameter<T>): Parameter<T | undefined> {
  return { ...parameter, optional: true };
}

export function nullable<T>(parameter: Parameter<T>): Parameter<T | null> {
  return {
    ...parameter,
    nullable: true,
    read: (argument) => (argument === null ? null : parameter.read(argument)),
  };
}

/** The last parameter, any number of times. */
export function rest<T>(parameter: Parameter<T>): Parameter<readonly T[]> {
  return { ...parameter, rest: true, read: parameter.read as unknown as (argument: Marked) => readonly T[] };
}

function errorOnKind(what: string, argument: Marked): ExpressionError {
  return expressionFailed.error(`${what} is required, and this is a ${describeType(typeOf(argument))}`);
}
