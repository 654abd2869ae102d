import { ExpressionFailed } from "../../errors";
import { bare, evaluate, parseExpression } from "../../expressions";
import type { Value } from "../../values";

export const REFERS = "it refers to something, and must be a value by itself";

/** Whether that is why there is no value: a text without quotes reads as a reference. */
export function refersToSomething(error: unknown): boolean {
  return error instanceof ExpressionFailed && error.problem === REFERS;
}

/**
 * The value of an expression that refers to nothing, as variables are given.
 * @throws InvalidExpression, ExpressionFailed
 */
export function literal(text: string): Value {
  const resolve = (): never => {
    throw new ExpressionFailed(REFERS);
  };
  return bare(evaluate(parseExpression(text), { resolve, folder: "." }));
}
