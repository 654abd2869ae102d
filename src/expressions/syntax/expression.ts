/** Reads operators, by precedence; what they join is in `primary`. */
import type { BinaryOperator, Chain, Node, Unary } from "../node";
import type { Cursor } from "./cursor";
import { readPrimary } from "./primary";

/** Weakest first. Within a row, a token that begins another one comes after it. */
const PRECEDENCE: readonly (readonly BinaryOperator[])[] = [
  ["||"],
  ["&&"],
  ["==", "!="],
  ["<=", ">=", "<", ">"],
  ["+", "-"],
  ["*", "/", "%"],
];

export function readExpression(cursor: Cursor): Node {
  return cursor.nested(() => {
    const condition = readChain(cursor, 0);
    const at = cursor.at;
    if (!cursor.take("?")) return condition;
    const yes = readExpression(cursor);
    cursor.expect(":", "of the conditional");
    return { kind: "conditional", at, condition, yes, no: readExpression(cursor) };
  });
}

function readChain(cursor: Cursor, level: number): Node {
  const operators = PRECEDENCE[level];
  if (operators === undefined) return readUnary(cursor);
  const first = readChain(cursor, level + 1);
  const rest: Chain["rest"][number][] = [];
  const at = cursor.at;
  for (;;) {
    const operator = operators.find((candidate) => cursor.take(candidate));
    if (operator === undefined) return rest.length === 0 ? first : { kind: "chain", at, first, rest };
    rest.push({ operator, operand: readChain(cursor, level + 1) });
  }
}

function readUnary(cursor: Cursor): Node {
  cursor.skip();
  const at = cursor.at;
  const operator = (["-", "!"] as const).find((candidate) => cursor.take(candidate));
  if (operator === undefined) return readPrimary(cursor);
  return cursor.nested((): Unary => ({ kind: "unary", at, operator, operand: readUnary(cursor) }));
}
