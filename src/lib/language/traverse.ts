/** Takes steps into values, and loops over them. */
import { didYouMean, type ExpressionError, expressionFailed } from "../../problems";
import {
  allMarksOf,
  asPrimitive,
  collectionOf,
  describeType,
  elementTypeOf,
  emptyObject,
  isMarkedList,
  isMarkedObject,
  isUnknown,
  likewise,
  mark,
  type Marked,
  type Marks,
  marksOf,
  NO_MARKS,
  SENSITIVE_TEXT,
  unwrap,
  sortedNames,
  typeOf,
  unify,
  UNKNOWN,
  type Unknown,
  ValueSet,
} from "../values";
import type { For, Node, Step, TemplateFor } from "./node";
import { joinText } from "./operators";
import type { Evaluation } from "./scope";

/**
 * The elements of a marked collection have no marks of their own during the search, so a failure that may name an element gets a safe wording.
 * @param marks on the whole collection
 */
function withheld(marks: Marks, compute: () => Marked): Marked {
  if (marks === NO_MARKS) return compute();
  try {
    return compute();
  } catch (error) {
    if (!expressionFailed.is(error)) throw error;
    throw expressionFailed.error("it fails for an element of a collection that is sensitive", {
      ...(error.place !== undefined && { place: error.place }),
      advice: "The reason would show the element. Use nonsensitive(…) for values that may be shown.",
    });
  }
}

// Steps behind a value: attributes, indexes, splats.

/** Evaluates the expression in the brackets of an index. */
type EvaluateKey = (key: Node) => Marked;

const MAY_BE_NULL = "If it may be null, write try(…, null).";

export function takeSteps(start: Marked, steps: readonly Step[], evaluateKey: EvaluateKey): Marked {
  let value = unwrap(start);
  let marks: Marks = marksOf(start);
  for (const step of steps) {
    const next = takeStep(value, step, marks, evaluateKey);
    marks |= marksOf(next);
    value = unwrap(next);
  }
  return mark(value, marks);
}

/** @param marks on the whole value */
function takeStep(value: Marked, step: Step, marks: Marks, evaluateKey: EvaluateKey): Marked {
  switch (step.kind) {
    case "attribute":
      return attributeOf(value, step.name, marks);
    case "index": {
      const key = evaluateKey(step.key);
      const element = elementAt(value, unwrap(key), { container: marks, key: marksOf(key) });
      // An index that is not known yet may mean any element.
      return mark(element, marksOf(key) | (isUnknown(unwrap(key)) ? allMarksOf(value) : NO_MARKS));
    }
    case "splat":
      return withheld(marks, () => splat(value, step.steps, evaluateKey));
  }
}

function attributeOf(value: Marked, name: string, marks: Marks): Marked {
  if (value === null)
    throw expressionFailed.error(`the value is null, and so has no attribute "${name}"`, {
      advice: MAY_BE_NULL,
    });
  if (isUnknown(value)) return value.members === undefined ? UNKNOWN : shapedMember(value.members, name);
  if (isMarkedObject(value)) return memberAt(value, name, { what: "attribute", container: marks });
  throw expressionFailed.error(
    `a ${describeType(typeOf(value))} has no attributes, and so no "${name}"`,
    isMarkedList(value) ? { advice: `Take one element with [0], or all of them with [*].` } : {},
  );
}

/** The name of a member for messages, and its marks: a marked name is not shown. */
interface Naming {
  readonly what: "attribute" | "key";
  /** Marks on the whole object: they are on its names. */
  readonly container: Marks;
  /** Marks on the name of the member. @default none: the expression contains the name */
  readonly key?: Marks;
}

function memberAt(value: Readonly<Record<string, Marked>>, name: string, step: Naming): Marked {
  if (Object.hasOwn(value, name)) return value[name] ?? null;
  throw missingMember(name, Object.keys(value), step);
}

function shapedMember(members: ReadonlyMap<string, Unknown>, name: string): Unknown {
  const member = members.get(name);
  // The attributes of the future value are known from its description, and are no secret.
  if (member === undefined)
    throw missingMember(name, [...members.keys()], { what: "attribute", container: NO_MARKS });
  return member;
}

/** The element of a list or object that an index names; neither is marked any more. */
function elementAt(value: Marked, key: Marked, marks: Omit<Naming, "what">): Marked {
  if (value === null)
    throw expressionFailed.error("the value is null, and so has no elements", { advice: MAY_BE_NULL });
  if (key === null) throw expressionFailed.error("the index is null");
  if (isUnknown(value) || isUnknown(key)) return UNKNOWN;
  if (value instanceof ValueSet) {
    throw expressionFailed.error("the elements of a set have no index", {
      advice: "Use tolist(…), or a for expression.",
    });
  }
  if (isMarkedList(value)) return value[positionIn(value, key, marks)] ?? null;
  if (isMarkedObject(value)) {
    const name = asPrimitive(key, "string");
    if (typeof name !== "string") throw expressionFailed.error("the key of an object must be a string");
    return memberAt(value, name, { what: "key", ...marks });
  }
  throw expressionFailed.error(`a ${describeType(typeOf(value))} has no elements`);
}

function positionIn(
  list: readonly Marked[],
  key: Marked,
  { container, key: ofKey = NO_MARKS }: Omit<Naming, "what">,
): number {
  const position = asPrimitive(key, "number");
  if (typeof position !== "number" || !Number.isInteger(position)) {
    throw expressionFailed.error("the index of a list must be a whole number");
  }
  if (position < 0 || position >= list.length) {
    const which = ofKey === NO_MARKS ? `[${position}]` : `[${SENSITIVE_TEXT}]`;
    const many = container === NO_MARKS ? ` of ${list.length}` : "";
    throw expressionFailed.error(`there is no element ${which} in a list${many}`, {
      advice: "The first element is [0]. Where there may be too few, write try(…, null).",
    });
  }
  return position;
}

/** A value that is no list counts as a tuple of one; null as an empty one. */
function splat(value: Marked, steps: readonly Step[], evaluateKey: EvaluateKey): Marked {
  if (value === null) return [];
  if (isUnknown(value) || (value instanceof ValueSet && !value.isWhole)) return UNKNOWN;
  if (!isMarkedList(value)) return [takeSteps(value, steps, evaluateKey)];
  if (steps.length === 0) return likewise(value, [...value]);
  const results = value.map((element) => takeSteps(element, steps, evaluateKey));
  const element = elementTypeOf(value) && unify(results.map(typeOf));
  return element === undefined ? results : collectionOf(element, results);
}

/** More names than these are no help. */
const MOST_NAMES = 50;

function missingMember(
  name: string,
  names: readonly string[],
  { what, container, key = NO_MARKS }: Naming,
): ExpressionError {
  const shownKey = key === NO_MARKS ? `"${name}"` : SENSITIVE_TEXT;
  const problem =
    what === "attribute"
      ? `there is no attribute ${shownKey} here`
      : `there is no element with the key ${shownKey}`;
  // Names similar to a secret reveal much of it.
  const isOpen = (container | key) === NO_MARKS;
  return expressionFailed.error(problem, isOpen ? { advice: adviceOnName(name, names, what) } : {});
}

function adviceOnName(name: string, names: readonly string[], what: "attribute" | "key"): string {
  const word = what === "attribute" ? "attributes" : "keys";
  if (names.length === 0) return `It has no ${word} at all.`;
  const nameList = names.slice(0, MOST_NAMES).join(", ");
  return didYouMean(name, names, `The ${word} are: ${nameList}${names.length > MOST_NAMES ? ", …" : "."}`);
}

// Loops: `for` expressions and `%{ for }` directives.

type Evaluate = (node: Node, evaluation: Evaluation) => Marked;

export function evaluateFor(node: For, evaluation: Evaluation, evaluate: Evaluate): Marked {
  const collection = evaluate(node.collection, evaluation);
  return withheld(marksOf(collection), () => loop(node, collection, evaluation, evaluate));
}

function loop(node: For, collection: Marked, evaluation: Evaluation, evaluate: Evaluate): Marked {
  const entries = elementsWithKeys(unwrap(collection));
  let marks: Marks = marksOf(collection);
  const later = (inner: Evaluation): Marked =>
    mark(UNKNOWN, marks | allMarksOf(collection) | marksOfBody(node.value, inner, evaluate));
  if (entries === undefined) return later(evaluation.binding(node.keyName, UNKNOWN, node.valueName, UNKNOWN));
  const result = node.key === undefined ? new ListResult() : new ObjectResult(node.group);
  for (const [key, value] of entries) {
    evaluation.spend();
    const inner = evaluation.binding(node.keyName, key, node.valueName, value);
    if (node.condition !== undefined) {
      const condition = evaluate(node.condition, inner);
      marks |= marksOf(condition);
      const isIncluded = conditionOf(condition);
      if (isIncluded === undefined) return later(inner);
      if (!isIncluded) continue;
    }
    const name = node.key === undefined ? null : evaluate(node.key, inner);
    marks |= marksOf(name);
    if (isUnknown(unwrap(name))) return later(inner);
    result.add(name, evaluate(node.value, inner));
  }
  return mark(result.value, marks);
}

/** The marks that a loop's body will bring into the result, where only the apply can run the loop. */
function marksOfBody(body: Node, inner: Evaluation, evaluate: Evaluate): Marks {
  try {
    return allMarksOf(evaluate(body, inner));
  } catch (error) {
    if (expressionFailed.is(error)) return NO_MARKS;
    throw error;
  }
}

export function evaluateTemplateFor(node: TemplateFor, evaluation: Evaluation, evaluate: Evaluate): Marked {
  const collection = evaluate(node.collection, evaluation);
  const entries = elementsWithKeys(unwrap(collection));
  if (entries === undefined) {
    const inner = evaluation.binding(node.keyName, UNKNOWN, node.valueName, UNKNOWN);
    return mark(collection, marksOfBody(node.body, inner, evaluate));
  }
  const text = withheld(marksOf(collection), () =>
    joinText(
      entries.map(([key, value]) => {
        evaluation.spend();
        return evaluate(node.body, evaluation.binding(node.keyName, key, node.valueName, value));
      }),
    ),
  );
  return mark(text, marksOf(collection));
}

/** A truth value; undefined if only the apply will know it. */
export function conditionOf(condition: Marked): boolean | undefined {
  const value = unwrap(condition);
  if (isUnknown(value)) return undefined;
  if (value === null) throw expressionFailed.error("the condition is null");
  const truth = asPrimitive(value, "bool");
  if (typeof truth !== "boolean") throw expressionFailed.error("the condition must be a bool");
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
    const name = keyText(unwrap(key));
    if (this.group) ((this.value[name] ??= []) as Marked[]).push(value);
    else if (this.value[name] === undefined) this.value[name] = value;
    else {
      const shownKey = marksOf(key) === NO_MARKS ? `"${name}"` : SENSITIVE_TEXT;
      throw expressionFailed.error(`two elements have the key ${shownKey}`, {
        advice: "Write … => value... to collect the values of a key in a list.",
      });
    }
  }
}

export function keyText(key: Marked): string {
  const text = asPrimitive(key, "string");
  if (text === undefined) throw expressionFailed.error("the key of an object must be a string, and not null");
  return text;
}

/**
 * The entries of a loop, in order: positions and elements, keys and members; the key of a set's element is the element. Undefined if only
 * the apply will know them. The collection itself is not marked.
 */
function elementsWithKeys(collection: Marked): readonly (readonly [Marked, Marked])[] | undefined {
  if (isUnknown(collection)) return undefined;
  if (collection instanceof ValueSet) {
    return collection.isWhole ? collection.map((element) => [element, element] as const) : undefined;
  }
  if (isMarkedList(collection)) return collection.map((element, index) => [index, element] as const);
  if (isMarkedObject(collection)) {
    return sortedNames(collection).map((name) => [name, collection[name] ?? null] as const);
  }
  if (collection === null) throw expressionFailed.error("a for loop cannot iterate over null");
  throw expressionFailed.error(`a for loop cannot iterate over a ${describeType(typeOf(collection))}`);
}
