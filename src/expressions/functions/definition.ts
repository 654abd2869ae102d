/** How a function of the language is defined. */
import { ExpressionFailed } from "../../errors";
import { isUnknown, isWhollyKnown, UNKNOWN } from "../../values";
import type { Scope } from "../evaluation/scope";
import { MAX_TEXT } from "../limits";
import { allMarksOf, mark, marksOf, NO_MARKS, peel, type Marked, type Marks } from "../marks";
import { bare } from "../unmark";
import type { Expression } from "../node";
import type { Parameter } from "./parameter";

/** What a function may use besides its arguments. */
export interface Environment {
  readonly scope: Scope;
  /** Evaluates a template that sees the given names and nothing else. */
  render(expression: Expression, names: ReadonlyMap<string, Marked>): Marked;
}

export type FunctionDefinition =
  | { readonly name: string; call(args: readonly Marked[], environment: Environment): Marked }
  /** The arguments may fail: they are tried one by one. */
  | { readonly name: string; attempt(args: readonly (() => Marked)[]): Marked };

type Arguments<P extends readonly Parameter<unknown>[]> = {
  [I in keyof P]: P[I] extends Parameter<infer T> ? T : never;
};

type Compute<P extends readonly Parameter<unknown>[], R> = (
  args: Arguments<P>,
  environment: Environment,
) => R;

/**
 * A function of wholly known values without marks: unknown in, unknown out; a mark anywhere in the arguments is on the
 * whole result.
 */
export function define<const P extends readonly Parameter<unknown>[]>(
  name: string,
  parameters: P,
  compute: Compute<P, Marked>,
): FunctionDefinition {
  return {
    name,
    call(args, environment) {
      const marks = args.reduce<Marks>((all, arg) => all | allMarksOf(arg), NO_MARKS);
      const values = args.map(bare);
      const read = (): Arguments<P> => readArguments(parameters, values);
      if (!values.every(isWhollyKnown)) {
        if (values.every((value) => !isUnknown(value))) checkCount(parameters, values);
        return mark(UNKNOWN, marks);
      }
      return mark(bounded(guarded(name, marks, () => compute(read(), environment))), marks);
    },
  };
}

/**
 * A function of the structure of its arguments, which leaves alone what stands in it: parts that are unknown or marked
 * keep being so. Arguments that are unknown as a whole make the result unknown; marks on a whole argument are on the whole
 * result.
 */
export function defineStructural<const P extends readonly Parameter<unknown>[]>(
  name: string,
  parameters: P,
  compute: Compute<P, Marked>,
): FunctionDefinition {
  return {
    name,
    call(args, environment) {
      const marks = args.reduce<Marks>((all, arg) => all | marksOf(arg), NO_MARKS);
      const values = args.map(peel);
      const concerned = values.some(
        (value, index) => isUnknown(value) && !parameterAt(parameters, index)?.takesUnknown,
      );
      if (concerned) return mark(UNKNOWN, marks);
      return mark(
        bounded(guarded(name, marks, () => compute(readArguments(parameters, values), environment))),
        marks,
      );
    },
  };
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
  if (missing) throw new ExpressionFailed(`the argument "${missing.name}" is missing`);
  if (args.length > parameters.length && !parameters.at(-1)?.rest) {
    throw new ExpressionFailed(`it takes only ${parameters.length} argument(s)`);
  }
}

function readArguments<P extends readonly Parameter<unknown>[]>(
  parameters: P,
  args: readonly Marked[],
): Arguments<P> {
  checkCount(parameters, args);
  const read = (parameter: Parameter<unknown>, arg: Marked): unknown => {
    if (arg === null && !parameter.nullable)
      throw new ExpressionFailed(`the argument "${parameter.name}" is null`);
    try {
      return parameter.read(arg);
    } catch (error) {
      throw error instanceof ExpressionFailed
        ? new ExpressionFailed(`the argument "${parameter.name}": ${error.problem}`)
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

/** Names the function in its failures, and keeps what is marked out of them. */
function guarded(name: string, marks: Marks, compute: () => Marked): Marked {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof ExpressionFailed)) throw error;
    if (marks !== NO_MARKS)
      throw new ExpressionFailed(`${name}: it refused its arguments, which are sensitive`);
    throw new ExpressionFailed(`${name}: ${error.problem}`, {
      ...(error.advice !== undefined && { advice: error.advice }),
      ...(error.detail !== undefined && { detail: error.detail }),
    });
  }
}

/** Texts are in normal form NFC everywhere in the language. */
function bounded(value: Marked): Marked {
  if (typeof value !== "string") return value;
  if (value.length > MAX_TEXT) throw new ExpressionFailed("the string becomes too long");
  return value.normalize();
}
