import { ExpressionFailed } from "../../errors";
import { bare, evaluate, parseExpression } from "../../expressions";
import type { Value } from "../../values";

/**
 * The value of an expression that refers to nothing, as variables are given.
 * @throws InvalidExpression, ExpressionFailed
 */
export function literal(text: string): Value {
  const resolve = (): never => {
    throw new ExpressionFailed("it refers to something, and must be a value by itself");
  };
  return bare(evaluate(parseExpression(text), { resolve, folder: "." }));
}
