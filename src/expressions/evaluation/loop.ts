/** `for` expressions and `%{ for }` directives. */
import { ExpressionFailed } from "../../errors";
import { emptyObject, isUnknown, UNKNOWN } from "../../values";
import { asPrimitive } from "../conversions/convert";
import { mark, marksOf, peel, type Marked, type Marks } from "../marks";
import type { For, Node, TemplateFor } from "../node";
import type { Evaluation } from "./evaluation";
import { entriesOf } from "./iterate";
import { joinText } from "./text";

type Evaluate = (node: Node, evaluation: Evaluation) => Marked;

export function evaluateFor(node: For, evaluation: Evaluation, evaluate: Evaluate): Marked {
  const collection = evaluate(node.collection, evaluation);
  const entries = entriesOf(peel(collection));
  let marks: Marks = marksOf(collection);
  if (entries === undefined) return mark(UNKNOWN, marks);
  const result = node.key === undefined ? new ListResult() : new ObjectResult(node.group);
  for (const [key, value] of entries) {
    evaluation.spend();
    const inner = evaluation.binding(node.keyName, key, node.valueName, value);
    if (node.condition !== undefined) {
      const condition = evaluate(node.condition, inner);
      marks |= marksOf(condition);
      const kept = conditionOf(condition);
      if (kept === undefined) return mark(UNKNOWN, marks);
      if (!kept) continue;
    }
    const name = node.key === undefined ? null : evaluate(node.key, inner);
    marks |= marksOf(name);
    if (isUnknown(peel(name))) return mark(UNKNOWN, marks);
    result.add(peel(name), evaluate(node.value, inner));
  }
  return mark(result.value, marks);
}

export function evaluateTemplateFor(node: TemplateFor, evaluation: Evaluation, evaluate: Evaluate): Marked {
  const collection = evaluate(node.collection, evaluation);
  const entries = entriesOf(peel(collection));
  if (entries === undefined) return collection;
  const text = joinText(
    entries.map(([key, value]) => {
      evaluation.spend();
      return evaluate(node.body, evaluation.binding(node.keyName, key, node.valueName, value));
    }),
  );
  return mark(text, marksOf(collection));
}

/** A truth value; undefined where only the apply will tell. */
export function conditionOf(condition: Marked): boolean | undefined {
  const value = peel(condition);
  if (isUnknown(value)) return undefined;
  if (value === null) throw new ExpressionFailed("the condition is null");
  const truth = asPrimitive(value, "bool");
  if (typeof truth !== "boolean") throw new ExpressionFailed("the condition must be a bool");
  return truth;
}

class ListResult {
  readonly value: Marked[] = [];

  add(_key: Marked, value: Marked): void {
    this.value.push(value);
  }
}

class ObjectResult {
  readonly value: Record<string, Marked> = emptyObject();

  constructor(private readonly group: boolean) {}

  add(key: Marked, value: Marked): void {
    const name = key === null ? undefined : asPrimitive(key, "string");
    if (typeof name !== "string")
      throw new ExpressionFailed("the key of an object must be a string, and not null");
    if (this.group) ((this.value[name] ??= []) as Marked[]).push(value);
    else if (this.value[name] === undefined) this.value[name] = value;
    else {
      throw new ExpressionFailed(`two elements have the key "${name}"`, {
        advice: "Write … => value... to collect the values of a key in a list.",
      });
    }
  }
}
