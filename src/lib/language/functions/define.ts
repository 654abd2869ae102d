/** Defines how a function of the language is described and called. */
import { expressionFailed } from "../../../problems";
import {
  allMarksOf,
  bare,
  isUnknown,
  isWhollyKnown,
  mark,
  type Marked,
  type Marks,
  marksOf,
  NO_MARKS,
  unwrap,
  UNKNOWN,
} from "../../values";
import { MAX_DEPTH, MAX_ELEMENTS, MAX_TEXT } from "../limits";
import type { CallEnvironment, ExpressionFunction } from "../scope";
import type { Parameter } from "./parameters";

type Arguments<P extends readonly Parameter<unknown>[]> = {
  [I in keyof P]: P[I] extends Parameter<infer T> ? T : never;
};

type Compute<P extends readonly Parameter<unknown>[], R> = (
  args: Arguments<P>,
  environment: CallEnvironment,
) => R;

/** A function of wholly known values without marks: unknown in, unknown out; a mark anywhere in the arguments is on the whole result. */
export function define<const P extends readonly Parameter<unknown>[]>(
  name: string,
  parameters: P,
  compute: Compute<P, Marked>,
): ExpressionFunction {
  return {
    name,
    call(args, environment) {
      const marks = marksOfAll(args);
      const values = args.map(bare);
      const read = (): Arguments<P> => readArguments(parameters, values);
      if (!values.every(isWhollyKnown)) {
        if (values.every((value) => !isUnknown(value))) checkCount(parameters, values);
        return mark(UNKNOWN, marks);
      }
      return mark(withinBounds(nameFailures(name, marks, () => compute(read(), environment))), marks);
    },
  };
}

/**
 * A function of the structure of its arguments, which does not look into their parts: unknown parts stay unknown, marked parts stay marked.
 * An argument that is unknown as a whole makes the result unknown. Marks on a whole argument are on the whole result.
 */
export function defineStructural<const P extends readonly Parameter<unknown>[]>(
  name: string,
  parameters: P,
  compute: Compute<P, Marked>,
): ExpressionFunction {
  return {
    name,
    call(args, environment) {
      const marks = args.reduce<Marks>((all, arg) => all | marksOf(arg), NO_MARKS);
      const values = args.map(unwrap);
      const concerned = values.some(
        (value, index) => isUnknown(value) && !parameterAt(parameters, index)?.takesUnknown,
      );
      if (concerned) return mark(UNKNOWN, marksOfAll(args));
      return mark(
        withinBounds(
          nameFailures(name, marks, () => compute(readArguments(parameters, values), environment)),
        ),
        marks,
      );
    },
  };
}

/** The marks on arguments and on all their parts. */
function marksOfAll(args: readonly Marked[]): Marks {
  return args.reduce<Marks>((all, arg) => all | allMarksOf(arg), NO_MARKS);
}

function parameterAt(
  parameters: readonly Parameter<unknown>[],
  index: number,
): Parameter<unknown> | undefined {
  const last = parameters.at(-1);
  return parameters[index] ?? (last?.rest ? last : undefined);
}

function checkCount(parameters: readonly Parameter<unknown>[], args: readonly unknown[]): void {
  const missing = parameters.find(
    (parameter, index) => index >= args.length && !parameter.optional && !parameter.rest,
  );
  if (missing) throw expressionFailed.error(`the argument "${missing.name}" is missing`);
  if (args.length > parameters.length && !parameters.at(-1)?.rest) {
    throw expressionFailed.error(`it takes only ${parameters.length} argument(s)`);
  }
}

function readArguments<P extends readonly Parameter<unknown>[]>(
  parameters: P,
  args: readonly Marked[],
): Arguments<P> {
  checkCount(parameters, args);
  const read = (parameter: Parameter<unknown>, arg: Marked): unknown => {
    if (arg === null && !parameter.nullable)
      throw expressionFailed.error(`the argument "${parameter.name}" is null`);
    try {
      return parameter.read(arg);
    } catch (error) {
      throw expressionFailed.is(error)
        ? expressionFailed.error(`the argument "${parameter.name}": ${error.message}`)
        : error;
    }
  };
  const values = parameters.map((parameter, index) => {
    if (parameter.rest) return args.slice(index).map((arg) => read(parameter, arg));
    const arg = args[index];
    return arg === undefined ? undefined : read(parameter, arg);
  });
  return values as Arguments<P>;
}

/** Names the function in its failures, and keeps marked values out of them. */
function nameFailures(name: string, marks: Marks, compute: () => Marked): Marked {
  try {
    return compute();
  } catch (error) {
    if (!expressionFailed.is(error)) throw error;
    if (marks !== NO_MARKS)
      throw expressionFailed.error(`${name}: it refused its arguments, which are sensitive`);
    throw expressionFailed.error(`${name}: ${error.message}`, {
      ...(error.advice !== undefined && { advice: error.advice }),
      ...(error.detail !== undefined && { detail: error.detail }),
    });
  }
}

/** Texts are in normal form NFC everywhere in the language. */
function withinBounds(value: Marked): Marked {
  if (typeof value !== "string") return value;
  if (value.length > MAX_TEXT) throw expressionFailed.error("the string becomes too long");
  return value.normalize();
}

/** @throws expressionFailed if a list is longer than any honest one. */
export function requireShort<T>(list: readonly T[]): readonly T[] {
  if (list.length > MAX_ELEMENTS)
    throw expressionFailed.error(`the list has more than ${MAX_ELEMENTS} elements`);
  return list;
}

/** @throws expressionFailed if brackets outside of quoted texts are nested too deeply. */
export function checkDepth(text: string): void {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\[^])*"|[[\]{}]/g)) {
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth > MAX_DEPTH)
      throw expressionFailed.error(`the string is nested more than ${MAX_DEPTH} levels deep`);
  }
}

/** @throws expressionFailed if the indentation of YAML leaves room for more levels than there may be. */
export function checkIndentation(text: string): void {
  for (const [structure] of text.matchAll(/^(?: |[-?:](?=\s))+/gm)) {
    if (structure.length > 2 * MAX_DEPTH) {
      throw expressionFailed.error(`a line is indented by more than ${2 * MAX_DEPTH} columns`);
    }
  }
}

/** @throws expressionFailed if there are more arguments than one, or none. */
export function onlyArgument(name: string, args: readonly Marked[]): Marked {
  const [argument, ...more] = args;
  if (argument === undefined || more.length > 0)
    throw expressionFailed.error(`${name}: it takes one argument`);
  return argument;
}
