/** Evaluates an expression, and the defaults in a type. */
import { expressionFailed } from "../../problems";
import {
  allMarksOf,
  bare,
  describeType,
  emptyObject,
  EPHEMERAL,
  isMarkedList,
  isUnknown,
  mark,
  type Marked,
  type Marks,
  marksOf,
  NO_MARKS,
  type Type,
  unwrap,
  typeOf,
  unify,
  UNKNOWN,
  ValueSet,
} from "../values";
import { convertOrFail } from "./convert";
import { Cursor } from "./cursor";
import { FUNCTIONS } from "./functions";
import { readExpression } from "./grammar";
import { requireBounded } from "./limits";
import type { FunctionCall, Chain, Conditional, Expression, Node, ObjectNode, Reference } from "./node";
import { applyBinary, applyUnary, joinText, LATER, applyLogical, isLogical, type Operand } from "./operators";
import { type CallEnvironment, Evaluation, type Scope } from "./scope";
import { conditionOf, evaluateFor, evaluateTemplateFor, keyText, takeSteps } from "./traverse";
import { readType } from "./type-constraint";

/**
 * Evaluates an expression. A result of unknown parts is unknown, and a result of marked parts is marked.
 * @throws expressionFailed if it has no value
 */
export function evaluate(expression: Expression, scope: Scope): Marked {
  const { root, text } = expression;
  if (root.kind === "literal") return root.value;
  try {
    return requireBounded(evaluateNode(root, Evaluation.of(scope, text)));
  } catch (error) {
    if (expressionFailed.is(error)) throw error.in({ text, at: root.at });
    // The parser limits the depth of an expression. Values that expressions build from each other have no such limit.
    if (error instanceof RangeError)
      throw expressionFailed.error("the value is nested too deeply", { cause: error });
    throw error;
  }
}

function evaluateNode(node: Node, evaluation: Evaluation): Marked {
  try {
    return valueOfNode(node, evaluation);
  } catch (error) {
    throw expressionFailed.is(error) ? error.in({ text: evaluation.text, at: node.at }) : error;
  }
}

function valueOfNode(node: Node, evaluation: Evaluation): Marked {
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
      return evaluation.spendOn(joinText(node.parts.map(inner)));
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
      return requireBounded(node.elements.map(inner));
    case "object":
      return requireBounded(evaluateObject(node, inner));
    case "for":
      return requireBounded(evaluateFor(node, evaluation, evaluateNode));
  }
}

function evaluateChain({ first, rest }: Chain, inner: (node: Node) => Marked): Marked {
  // All operators of a chain have one precedence, so a logical operator is the only one of its chain.
  const [{ operator: logical } = { operator: "==" as const }] = rest;
  if (!isLogical(logical))
    return rest.reduce(
      (outcome, { operator, operand }) =>
        isLogical(operator) ? outcome : applyBinary(operator, outcome, inner(operand)),
      inner(first),
    );
  const operandOf = (node: Node): Operand => failedAsUnknown(() => ({ value: inner(node) }));
  const { value, error } = rest.reduce(
    (outcome, { operand }) => failedAsUnknown(() => applyLogical(logical, outcome, operandOf(operand))),
    operandOf(first),
  );
  if (error !== undefined) throw error;
  return value;
}

function failedAsUnknown(act: () => Operand): Operand {
  try {
    return act();
  } catch (error) {
    if (expressionFailed.is(error)) return { value: UNKNOWN, error };
    throw error;
  }
}

function evaluateObject(node: ObjectNode, inner: (node: Node) => Marked): Marked {
  const members: Record<string, Marked> = emptyObject();
  let marks: Marks = NO_MARKS;
  const values: Marked[] = [];
  let unknown = false;
  for (const member of node.members) {
    const key = inner(member.key);
    const value = inner(member.value);
    marks |= marksOf(key);
    const name = unwrap(key);
    values.push(value);
    if (isUnknown(name)) unknown = true;
    else members[keyText(name)] = value;
  }
  return unknown ? mark(UNKNOWN, marks | allMarksOf(values)) : mark(members, marks);
}

/** The value of a reference's root. The scope gives the values that only the engine knows. */
function resolve(reference: Reference, scope: Scope): Marked {
  if (reference.kind === "path") return reference.name === "cwd" ? scope.folder : ".";
  if (reference.kind === "terraform") {
    return reference.name === "workspace" ? "default" : mark(scope.now !== undefined, EPHEMERAL);
  }
  return scope.resolve(reference);
}

/** Both sides are evaluated, because the result has the type that they have in common; only the chosen side may fail. */
function evaluateConditional(node: Conditional, evaluate: (node: Node) => Marked): Marked {
  const condition = evaluate(node.condition);
  const choice = conditionOf(condition);
  const yes = choice === false ? evaluateOrUnknown(node.yes, evaluate) : evaluate(node.yes);
  const no = choice === true ? evaluateOrUnknown(node.no, evaluate) : evaluate(node.no);
  return mark(choose(choice, yes, no), marksOf(condition));
}

function choose(choice: boolean | undefined, yes: Marked, no: Marked): Marked {
  if (choice !== undefined && typeof yes === typeof no && typeof yes !== "object") return choice ? yes : no;
  const type = unify([typeOf(yes), typeOf(no)]);
  if (type === undefined) {
    throw expressionFailed.error(
      `the two results of the conditional have no type in common: ${describeType(typeOf(yes))} and ${describeType(typeOf(no))}`,
      { advice: "Convert one of them, with tostring(…), tolist(…) or similar." },
    );
  }
  if (choice !== undefined) return convertOrFail(choice ? yes : no, type);
  return mark(
    isSurelyNotNull(yes) && isSurelyNotNull(no) ? LATER : UNKNOWN,
    allMarksOf(yes) | allMarksOf(no),
  );
}

function isSurelyNotNull(value: Marked): boolean {
  const unwrapped = unwrap(value);
  return unwrapped !== null && (!isUnknown(unwrapped) || unwrapped.notNull);
}

function evaluateOrUnknown(node: Node, evaluate: (node: Node) => Marked): Marked {
  try {
    return evaluate(node);
  } catch (error) {
    if (expressionFailed.is(error)) return UNKNOWN;
    throw error;
  }
}

function evaluateCall(
  node: FunctionCall,
  evaluation: Evaluation,
  evaluate: (node: Node, evaluation: Evaluation) => Marked,
): Marked {
  evaluation.spend();
  const { scope } = evaluation;
  const definition = FUNCTIONS.get(node.name) ?? scope.functions?.get(node.name);
  if (definition === undefined) throw expressionFailed.error(`there is no function "${node.name}"`);
  if ("attempt" in definition) {
    return definition.attempt(node.args.map((arg) => () => evaluate(arg, evaluation)));
  }
  const args = node.args.map((arg) => evaluate(arg, evaluation));
  let marks: Marks = NO_MARKS;
  if (node.expand) {
    const last = args.pop() ?? null;
    const further = expandList(unwrap(last), node.name);
    marks = marksOf(last);
    if (further === undefined)
      return mark(
        UNKNOWN,
        args.reduce<Marks>((all, arg) => all | allMarksOf(arg), allMarksOf(last)),
      );
    args.push(...further);
  }
  const environment: CallEnvironment = {
    scope,
    render: (expression, names) => evaluate(expression.root, evaluation.entering(expression.text, names)),
  };
  return evaluation.spendOn(mark(definition.call(args, environment), marks));
}

/** The arguments from `list...`; undefined if only the apply will know them. */
function expandList(list: Marked, name: string): readonly Marked[] | undefined {
  if (isUnknown(list) || (list instanceof ValueSet && !list.isWhole)) return undefined;
  if (!isMarkedList(list)) throw expressionFailed.error(`${name}: the argument before "..." must be a list`);
  return list;
}

/**
 * Reads the type constraint of a variable, such as `map(object({ a = string, b = optional(number, 1) }))`.
 * @throws invalidExpression
 */
export function parseType(text: string): Type {
  const cursor = new Cursor(text);
  const type = readType(cursor, () =>
    bare(evaluate({ text, root: readExpression(cursor) }, { folder: ".", resolve: () => null })),
  );
  cursor.skip();
  if (!cursor.ended) throw cursor.unexpectedPart("the end of the type");
  return type;
}
