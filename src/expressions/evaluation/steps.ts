/** Takes the steps behind a value: attributes, indexes, splats. */
import { ExpressionFailed } from "../../errors";
import { isUnknown, UNKNOWN, type Unknown } from "../../values";
import { asPrimitive } from "../conversions/convert";
import { describeType, typeOf } from "../conversions/type";
import { unify } from "../conversions/unify";
import { collectionOf, elementTypeOf, likewise } from "../element-type";
import {
  isMarkedList,
  isMarkedObject,
  mark,
  marksOf,
  NO_MARKS,
  peel,
  type Marked,
  type Marks,
} from "../marks";
import type { Node, Step } from "../node";
import { ValueSet } from "../set";
import { missingMember } from "./missing-member";

/** Evaluates the expression in the brackets of an index. */
type EvaluateKey = (key: Node) => Marked;

const MAY_BE_NULL = "Where it may be null, write try(…, null).";

export function takeSteps(start: Marked, steps: readonly Step[], evaluateKey: EvaluateKey): Marked {
  let value = peel(start);
  let marks: Marks = marksOf(start);
  for (const step of steps) {
    const next = takeStep(value, step, marks, evaluateKey);
    marks |= marksOf(next);
    value = peel(next);
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
      return mark(elementOf(value, peel(key), marks | marksOf(key)), marksOf(key));
    }
    case "splat":
      return splat(value, step.steps, evaluateKey);
  }
}

function attributeOf(value: Marked, name: string, marks: Marks): Marked {
  if (value === null)
    throw new ExpressionFailed(`the value is null, and so has no attribute "${name}"`, {
      advice: MAY_BE_NULL,
    });
  if (isUnknown(value)) return value.members === undefined ? UNKNOWN : shapedMember(value.members, name);
  if (isMarkedObject(value)) return memberOf(value, name, { what: "attribute", marks });
  throw new ExpressionFailed(
    `a ${describeType(typeOf(value))} has no attributes, and so no "${name}"`,
    isMarkedList(value) ? { advice: `Take one element with [0], or all of them with [*].` } : {},
  );
}

function memberOf(
  value: Readonly<Record<string, Marked>>,
  name: string,
  step: { readonly what: "attribute" | "key"; readonly marks: Marks },
): Marked {
  if (Object.hasOwn(value, name)) return value[name] ?? null;
  throw missingMember(name, Object.keys(value), step);
}

function shapedMember(members: ReadonlyMap<string, Unknown>, name: string): Unknown {
  const member = members.get(name);
  // What attributes it will have is known from its description, and no secret.
  if (member === undefined)
    throw missingMember(name, [...members.keys()], { what: "attribute", marks: NO_MARKS });
  return member;
}

/** The element of a list or object that an index names; neither is marked. */
function elementOf(value: Marked, key: Marked, marks: Marks): Marked {
  if (value === null)
    throw new ExpressionFailed("the value is null, and so has no elements", { advice: MAY_BE_NULL });
  if (key === null) throw new ExpressionFailed("the index is null");
  if (isUnknown(value) || isUnknown(key)) return UNKNOWN;
  if (value instanceof ValueSet) {
    throw new ExpressionFailed("the elements of a set have no index", {
      advice: "Use tolist(…), or a for expression.",
    });
  }
  if (isMarkedList(value)) return value[positionIn(value, key)] ?? null;
  if (isMarkedObject(value)) {
    const name = asPrimitive(key, "string");
    if (typeof name !== "string") throw new ExpressionFailed("the key of an object must be a string");
    return memberOf(value, name, { what: "key", marks });
  }
  throw new ExpressionFailed(`a ${describeType(typeOf(value))} has no elements`);
}

function positionIn(list: readonly Marked[], key: Marked): number {
  const position = asPrimitive(key, "number");
  if (typeof position !== "number" || !Number.isInteger(position)) {
    throw new ExpressionFailed("the index of a list must be a whole number");
  }
  if (position < 0 || position >= list.length) {
    throw new ExpressionFailed(`there is no element [${position}] in a list of ${list.length}`, {
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
  const taken = value.map((element) => takeSteps(element, steps, evaluateKey));
  const element = elementTypeOf(value) && unify(taken.map(typeOf));
  return element === undefined ? taken : collectionOf(element, taken);
}
