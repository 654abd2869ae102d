/** Gives a JSON value with templates its value. */
import { ExpressionFailed } from "../../errors";
import { isUnknown, setMember, type ObjectValue, type Path } from "../../values";
import { asPrimitive } from "../conversions/convert";
import { evaluate } from "../evaluation/evaluate";
import type { Scope } from "../evaluation/scope";
import { mark, marksOf, NO_MARKS, peel, type Marked, type MarkedObject, type Marks } from "../marks";
import type { Expression } from "../node";
import { bounded } from "../size";
import type { Member, Part } from "./part";

/** @throws ExpressionFailed that names the attribute */
export function evaluateWhole(part: Part, scope: Scope, path: Path): Marked {
  return boundedAt(evaluatePart(part, scope, path), path);
}

/** Parts that are small by themselves can be too large together. */
function boundedAt<T extends Marked>(value: T, path: Path): T {
  try {
    bounded(value);
    return value;
  } catch (error) {
    throw error instanceof ExpressionFailed ? error.of(path) : error;
  }
}

function evaluatePart(part: Part, scope: Scope, path: Path): Marked {
  switch (part.kind) {
    case "expression":
      return evaluateAt(part.expression, scope, path);
    case "list": {
      const list: Marked[] = [...part.json];
      for (const [index, element] of part.dynamic)
        list[index] = evaluatePart(element, scope, [...path, index]);
      return list;
    }
    case "object": {
      const object: Record<string, Marked> = { ...part.json };
      return assign(object, part.dynamic, scope, path);
    }
    case "keyed":
      return keyedObject(part.json, part.dynamic, scope, path);
  }
}

/** The members of an object that hold templates. */
export function evaluateMembers(part: Part, scope: Scope, path: Path): MarkedObject {
  return part.kind === "object" ? boundedAt(assign({}, part.dynamic, scope, path), path) : {};
}

function assign(
  object: Record<string, Marked>,
  dynamic: ReadonlyMap<string, Part>,
  scope: Scope,
  path: Path,
): MarkedObject {
  for (const [name, member] of dynamic) setMember(object, name, evaluatePart(member, scope, [...path, name]));
  return object;
}

function keyedObject(
  json: ObjectValue,
  dynamic: ReadonlyMap<string, Member>,
  scope: Scope,
  path: Path,
): Marked {
  const object: Record<string, Marked> = {};
  let marks: Marks = NO_MARKS;
  for (const name in json) {
    const constant = json[name] ?? null;
    const member = dynamic.get(name);
    if (member === undefined) {
      setMember(object, name, constant);
      continue;
    }
    const value = member.value ? evaluatePart(member.value, scope, [...path, name]) : constant;
    const key = member.key ? evaluateAt(member.key, scope, path) : name;
    marks |= marksOf(key);
    if (isUnknown(peel(key))) return mark(peel(key), marks);
    const text = peel(key) === null ? undefined : asPrimitive(peel(key), "string");
    if (typeof text !== "string") throw new ExpressionFailed("a key must be a string, and not null").of(path);
    setMember(object, text, value);
  }
  return mark(object, marks);
}

function evaluateAt(expression: Expression, scope: Scope, path: Path): Marked {
  try {
    return evaluate(expression, scope);
  } catch (error) {
    throw error instanceof ExpressionFailed ? error.of(path) : error;
  }
}
