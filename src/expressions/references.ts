/** What an expression needs from elsewhere, seen without evaluating it. */
import type { Expression, Node, Step } from "./node";
import type { Reference } from "./reference";

/** Everything that the expression refers to, in the order of the text. */
export function references(expression: Expression): readonly Reference[] {
  return needsOf(expression).references;
}

/** The names of the functions that the expression calls. */
export function calls(expression: Expression): readonly string[] {
  return needsOf(expression).calls;
}

interface Needs {
  readonly references: readonly Reference[];
  readonly calls: readonly string[];
}

const needs = new WeakMap<Expression, Needs>();

/** Found once: an expression may stand in many places. */
function needsOf(expression: Expression): Needs {
  let found = needs.get(expression);
  if (found === undefined) {
    const nodes = [...nodesOf(expression.root)];
    found = {
      references: nodes.flatMap((node) => (node.kind === "reference" ? [node.reference] : [])),
      calls: nodes.flatMap((node) => (node.kind === "call" ? [node.name] : [])),
    };
    needs.set(expression, found);
  }
  return found;
}

function* nodesOf(root: Node): Generator<Node> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    waiting.push(...partsOf(node).reverse());
  }
}

function partsOf(node: Node): Node[] {
  switch (node.kind) {
    case "literal":
    case "reference":
    case "bound":
      return [];
    case "template":
      return [...node.parts];
    case "template-for":
      return [node.collection, node.body];
    case "traverse":
      return [node.from, ...node.steps.flatMap(keysOf)];
    case "unary":
      return [node.operand];
    case "chain":
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case "conditional":
      return [node.condition, node.yes, node.no];
    case "call":
      return [...node.args];
    case "tuple":
      return [...node.elements];
    case "object":
      return node.members.flatMap(({ key, value }) => [key, value]);
    case "for":
      return [node.collection, node.key, node.value, node.condition].filter((part) => part !== undefined);
  }
}

function keysOf(step: Step): Node[] {
  if (step.kind === "splat") return step.steps.flatMap(keysOf);
  return step.kind === "index" ? [step.key] : [];
}
