import { ExpressionFailed } from "../../errors";
import { isUnknown, UNKNOWN } from "../../values";
import { FUNCTIONS } from "../functions";
import type { Environment } from "../functions/definition";
import { isMarkedList, mark, marksOf, NO_MARKS, peel, type Marked, type Marks } from "../marks";
import type { Call, Node } from "../node";
import { ValueSet } from "../set";
import type { Evaluation } from "./evaluation";

export function evaluateCall(
  node: Call,
  evaluation: Evaluation,
  evaluate: (node: Node, evaluation: Evaluation) => Marked,
): Marked {
  evaluation.spend();
  const { scope } = evaluation;
  const definition = FUNCTIONS.get(node.name) ?? scope.functions?.get(node.name);
  if (definition === undefined) throw new ExpressionFailed(`there is no function "${node.name}"`);
  if ("attempt" in definition) {
    return definition.attempt(node.args.map((arg) => () => evaluate(arg, evaluation)));
  }
  const args = node.args.map((arg) => evaluate(arg, evaluation));
  let marks: Marks = NO_MARKS;
  if (node.expand) {
    const last = args.pop() ?? null;
    const further = expanded(peel(last), node.name);
    marks = marksOf(last);
    if (further === undefined) return mark(UNKNOWN, marks);
    args.push(...further);
  }
  const environment: Environment = {
    scope,
    render: (expression, names) => evaluate(expression.root, evaluation.entering(expression.text, names)),
  };
  return evaluation.made(mark(definition.call(args, environment), marks));
}

/** The arguments that stand for `list...`; undefined where only the apply will tell. */
function expanded(list: Marked, name: string): readonly Marked[] | undefined {
  if (isUnknown(list) || (list instanceof ValueSet && !list.isWhole)) return undefined;
  if (!isMarkedList(list)) throw new ExpressionFailed(`${name}: the argument before "..." must be a list`);
  return list;
}
