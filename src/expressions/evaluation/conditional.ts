import { ExpressionFailed } from "../../errors";
import { isUnknown, UNKNOWN, Unknown } from "../../values";
import { convert } from "../conversions/convert";
import { describeType, typeOf } from "../conversions/type";
import { unify } from "../conversions/unify";
import { mark, marksOf, peel, type Marked } from "../marks";
import type { Conditional, Node } from "../node";
import { conditionOf } from "./loop";

const LATER = new Unknown({ notNull: true });

/** Both sides take part, because the result has the type that they have in common; only the chosen one may fail. */
export function evaluateConditional(node: Conditional, evaluate: (node: Node) => Marked): Marked {
  const condition = evaluate(node.condition);
  const choice = conditionOf(condition);
  const yes = choice === false ? attempt(node.yes, evaluate) : evaluate(node.yes);
  const no = choice === true ? attempt(node.no, evaluate) : evaluate(node.no);
  return mark(choose(choice, yes, no), marksOf(condition));
}

function choose(choice: boolean | undefined, yes: Marked, no: Marked): Marked {
  if (choice !== undefined && haveSamePrimitiveType(yes, no)) return choice ? yes : no;
  const type = unify([typeOf(yes), typeOf(no)]);
  if (type === undefined) {
    throw new ExpressionFailed(
      `the two results of the conditional have no type in common: ${describeType(typeOf(yes))} and ${describeType(typeOf(no))}`,
      { advice: "Convert one of them, with tostring(…), tolist(…) or similar." },
    );
  }
  if (choice !== undefined) return convert(choice ? yes : no, type);
  return mark(isSurelyNotNull(yes) && isSurelyNotNull(no) ? LATER : UNKNOWN, marksOf(yes) | marksOf(no));
}

function haveSamePrimitiveType(a: Marked, b: Marked): boolean {
  return typeof a === typeof b && typeof a !== "object";
}

function isSurelyNotNull(value: Marked): boolean {
  const peeled = peel(value);
  return peeled !== null && (!isUnknown(peeled) || peeled.notNull);
}

function attempt(node: Node, evaluate: (node: Node) => Marked): Marked {
  try {
    return evaluate(node);
  } catch (error) {
    if (error instanceof ExpressionFailed) return UNKNOWN;
    throw error;
  }
}
