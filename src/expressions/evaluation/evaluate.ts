/** Gives expressions their values. */
import { ExpressionFailed } from "../../errors";
import { emptyObject, isUnknown, UNKNOWN } from "../../values";
import { asPrimitive } from "../conversions/convert";
import { mark, marksOf, NO_MARKS, peel, type Marked, type Marks } from "../marks";
import type { Chain, Expression, Node, ObjectNode } from "../node";
import { evaluateCall } from "./call";
import { evaluateConditional } from "./conditional";
import { Evaluation } from "./evaluation";
import { evaluateFor, evaluateTemplateFor } from "./loop";
import { applyBinary, applyUnary } from "./operators";
import { resolve } from "./resolve";
import type { Scope } from "./scope";
import { bounded } from "../size";
import { takeSteps } from "./steps";
import { joinText } from "./text";

/**
 * Evaluates an expression; what depends on something unknown is unknown, and what is made of something marked is marked.
 * @throws ExpressionFailed where it has no value.
 */
export function evaluate(expression: Expression, scope: Scope): Marked {
  const { root, text } = expression;
  if (root.kind === "literal") return root.value;
  try {
    return bounded(evaluateNode(root, Evaluation.of(scope, text)));
  } catch (error) {
    if (error instanceof ExpressionFailed) throw error.in({ text, at: root.at });
    // The parser bounds how deep an expression is; values that expressions build of one another have no such bound.
    if (error instanceof RangeError)
      throw new ExpressionFailed("the value is nested too deeply", { cause: error });
    throw error;
  }
}

function evaluateNode(node: Node, evaluation: Evaluation): Marked {
  try {
    return valueOf(node, evaluation);
  } catch (error) {
    throw error instanceof ExpressionFailed ? error.in({ text: evaluation.text, at: node.at }) : error;
  }
}

function valueOf(node: Node, evaluation: Evaluation): Marked {
  const inner = (part: Node): Marked => evaluateNode(part, evaluation);
  switch (node.kind) {
    case "literal":
      return node.value;
    case "reference":
      return resolve(node.reference, evaluation.scope);
    case "bound":
      return evaluation.bound(node.name);
    case "traverse":
      return takeSteps(inner(node.from), node.steps, inner);
    case "template":
      return evaluation.made(joinText(node.parts.map(inner)));
    case "template-for":
      return evaluateTemplateFor(node, evaluation, evaluateNode);
    case "unary":
      return applyUnary(node.operator, inner(node.operand));
    case "chain":
      return evaluateChain(node, inner);
    case "conditional":
      return evaluateConditional(node, inner);
    case "call":
      return evaluateCall(node, evaluation, evaluateNode);
    case "tuple":
      return bounded(node.elements.map(inner));
    case "object":
      return bounded(evaluateObject(node, inner));
    case "for":
      return bounded(evaluateFor(node, evaluation, evaluateNode));
  }
}

function evaluateChain(node: Chain, inner: (node: Node) => Marked): Marked {
  return node.rest.reduce(
    (left, { operator, operand }) => applyBinary(operator, left, inner(operand)),
    inner(node.first),
  );
}

function evaluateObject(node: ObjectNode, inner: (node: Node) => Marked): Marked {
  const members: Record<string, Marked> = emptyObject();
  let marks: Marks = NO_MARKS;
  let unknown = false;
  for (const member of node.members) {
    const key = inner(member.key);
    const value = inner(member.value);
    marks |= marksOf(key);
    const name = peel(key);
    if (isUnknown(name)) unknown = true;
    else members[keyText(name)] = value;
  }
  return mark(unknown ? UNKNOWN : members, marks);
}

function keyText(key: Marked): string {
  const text = key === null ? undefined : asPrimitive(key, "string");
  if (typeof text !== "string")
    throw new ExpressionFailed("the key of an object must be a string, and not null");
  return text;
}
