import { ExpressionFailed } from "../../../errors";
import type { Marked } from "../../marks";

/** @throws ExpressionFailed where there are more arguments than one, or none. */
export function onlyArgument(name: string, args: readonly Marked[]): Marked {
  const [argument, ...more] = args;
  if (argument === undefined || more.length > 0) throw new ExpressionFailed(`${name}: it takes one argument`);
  return argument;
}
