/** Applies operators, compares values, and joins texts. */
import { expressionFailed } from "../../problems";
import {
  asPrimitive,
  add,
  allMarksOf,
  type Decimal,
  describeType,
  divide,
  elementTypeOf,
  isMarkedList,
  isSameType,
  isUnknown,
  mark,
  type Marked,
  type MarkedObject,
  type Marks,
  marksOf,
  multiply,
  NO_MARKS,
  normalNumber,
  unwrap,
  type Primitive,
  remainder,
  subtract,
  toDecimal,
  toNumber,
  typeOf,
  Unknown,
  type Value,
  ValueSet,
} from "../values";
import { MAX_TEXT } from "./limits";
import type { BinaryOperator, Unary } from "./node";

/** The result of an operator whose operands are known: never null. */
export const LATER = new Unknown({ notNull: true });

export function applyUnary(operator: Unary["operator"], operand: Marked): Marked {
  const value = operandAs(operator === "!" ? "bool" : "number", operand, operator);
  if (isUnknown(value)) return mark(LATER, marksOf(operand));
  return mark(typeof value === "boolean" ? !value : negate(value as number | bigint), marksOf(operand));
}

function negate(value: number | bigint): number | bigint {
  return value === 0 ? 0 : normalNumber(-value);
}

/** Both sides are always evaluated, and unknown on one side makes the result unknown. */
export function applyBinary(
  operator: Exclude<BinaryOperator, LogicalOperator>,
  left: Marked,
  right: Marked,
): Marked {
  if (operator === "==" || operator === "!=") return compareEqual(operator, left, right);
  const marks = marksOf(left) | marksOf(right);
  const a = operandAs("number", left, operator);
  const b = operandAs("number", right, operator);
  if (isUnknown(a) || isUnknown(b)) return mark(LATER, marks);
  return mark(compute(operator, a as number | bigint, b as number | bigint), marks);
}

type LogicalOperator = "&&" | "||";

export function isLogical(operator: BinaryOperator): operator is LogicalOperator {
  return operator === "&&" || operator === "||";
}

/** An operand that failed is unknown, with its error. */
export interface Operand {
  readonly value: Marked;
  readonly error?: Error;
}

/**
 * Decides by the side that is enough, and drops the errors of the other side, as Terraform from 1.12 and OpenTofu from 1.10 do: `false` for `&&`, where
 * null counts as false, and `true` for `||`. Where no side is enough, an unknown side decides, the left one first. A side that is no truth value is
 * always an error.
 */
export function applyLogical(operator: LogicalOperator, left: Operand, right: Operand): Operand {
  const marks = marksOf(left.value) | marksOf(right.value);
  const [a, b] = [left, right].map(({ value }) =>
    unwrap(value) === null ? null : operandAs("bool", value, operator),
  ) as [Value, Value];
  const isEnough = (value: Value) =>
    !isUnknown(value) && (operator === "&&" ? value !== true : value === true);
  if (isEnough(a) || isEnough(b)) return { value: mark(operator === "||", marks) };
  const unknownSide = isUnknown(a) ? left : right;
  if (isUnknown(a) || isUnknown(b)) return { ...unknownSide, value: mark(LATER, marks) };
  if (a === null || b === null) throw expressionFailed.error(`an operand of "${operator}" is null`);
  return { value: mark(operator === "&&", marks) };
}

function compareEqual(operator: "==" | "!=", left: Marked, right: Marked): Marked {
  const result = areEqual(left, right);
  const value = result === undefined ? LATER : result === (operator === "==");
  return mark(value, allMarksOf(left) | allMarksOf(right));
}

function operandAs(type: Primitive, operand: Marked, operator: string): Marked {
  const value = unwrap(operand);
  if (isUnknown(value)) return value;
  if (value === null) throw expressionFailed.error(`an operand of "${operator}" is null`);
  const converted = asPrimitive(value, type);
  if (converted === undefined)
    throw expressionFailed.error(`each operand of "${operator}" must be a ${type}`);
  return converted;
}

type NumberOperator = Exclude<BinaryOperator, "==" | "!=" | LogicalOperator>;

function compute(
  operator: NumberOperator,
  a: number | bigint,
  b: number | bigint,
): number | bigint | boolean {
  switch (operator) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return calculate(operator, a, b);
  }
}

/** A person does not write fractions with more digits than this, and doubles suit such fractions better than decimals. */
const WRITTEN_DIGITS = 10n ** 15n;

function calculate(
  operator: "+" | "-" | "*" | "/" | "%",
  a: number | bigint,
  b: number | bigint,
): number | bigint {
  if ((operator === "/" || operator === "%") && b === 0) throw expressionFailed.error("division by zero");
  const quick = calculateIntegers(operator, a, b);
  if (quick !== undefined) return quick;
  const left = toDecimal(a);
  const right = toDecimal(b);
  if (isLongFraction(left) || isLongFraction(right)) return calculateDoubles(operator, Number(a), Number(b));
  const result = DECIMAL[operator](left, right);
  if (result === undefined) throw expressionFailed.error("the number becomes too large");
  return toNumber(result);
}

/** Numbers that doubles hold exactly need no decimals; undefined if the result may not be exact. */
function calculateIntegers(
  operator: keyof typeof DECIMAL,
  a: number | bigint,
  b: number | bigint,
): number | undefined {
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b) || operator === "/") return undefined;
  const result = calculateDoubles(operator, Number(a), Number(b));
  // The sum takes the sign off zero.
  return Number.isSafeInteger(result) ? result + 0 : undefined;
}

const DECIMAL = { "+": add, "-": subtract, "*": multiply, "/": divide, "%": remainder } as const;

function isLongFraction({ digits, scale }: Decimal): boolean {
  return scale > 0 && (digits > WRITTEN_DIGITS || digits < -WRITTEN_DIGITS);
}

function calculateDoubles(operator: keyof typeof DECIMAL, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "%":
      return a % b;
  }
}

/** True if two values are equal, by type and content; undefined if only the apply will know. */
export function areEqual(one: Marked, other: Marked): boolean | undefined {
  const a = unwrap(one);
  const b = unwrap(other);
  if (isUnknown(a) || isUnknown(b)) return nullAgainstUnknown(a, b);
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (!areOfOneKind(a, b)) return false;
  if (mayShrink(a) || mayShrink(b)) return undefined;
  if (isMarkedList(a) && isMarkedList(b)) {
    if (a.length !== b.length) return false;
    return every(a.map((element, index) => () => areEqual(element, b[index] ?? null)));
  }
  const [left, right] = [a as MarkedObject, b as MarkedObject];
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length || !names.every((name) => Object.hasOwn(right, name)))
    return false;
  return every(names.map((name) => () => areEqual(left[name] ?? null, right[name] ?? null)));
}

/** True if both are lists, or both maps, and so on: a list is no tuple, and a map no object. Empty ones also need the same type of elements. */
function areOfOneKind(a: object, b: object): boolean {
  if (Array.isArray(a) !== Array.isArray(b) || a instanceof ValueSet !== b instanceof ValueSet) return false;
  const [left, right] = [elementTypeOf(a), elementTypeOf(b)];
  if (left === undefined || right === undefined) return left === right;
  return Object.keys(a).length > 0 || isSameType(left, right);
}

/** An unknown element of a set may equal another element. */
function mayShrink(value: object): boolean {
  return value instanceof ValueSet && !value.isWhole;
}

/** A value that is certainly not null does not equal null, even if it is unknown. */
function nullAgainstUnknown(a: Marked, b: Marked): boolean | undefined {
  const surely = (value: Marked) => value instanceof Unknown && value.notNull;
  return (a === null && surely(b)) || (b === null && surely(a)) ? false : undefined;
}

/** One difference decides, even if other parts are unknown. */
function every(comparisons: readonly (() => boolean | undefined)[]): boolean | undefined {
  let result: boolean | undefined = true;
  for (const compare of comparisons) {
    const part = compare();
    if (part === false) return false;
    if (part === undefined) result = undefined;
  }
  return result;
}

/** Joins the parts of a template as text; unknown if one of them is. */
export function joinText(parts: Iterable<Marked>): Marked {
  let text = "";
  let unknown = false;
  let marks: Marks = NO_MARKS;
  for (const part of parts) {
    const value = unwrap(part);
    marks |= marksOf(part);
    if (isUnknown(value)) unknown = true;
    else text += operandText(value);
    if (text.length > MAX_TEXT) throw expressionFailed.error("the string becomes too long");
  }
  return mark(unknown ? LATER : text.normalize(), marks);
}

function operandText(value: Marked): string {
  if (value === null) {
    throw expressionFailed.error("the value is null, and cannot be part of a string", {
      advice: `Use coalesce(…, "") where null is to become an empty string.`,
    });
  }
  const text = asPrimitive(value, "string");
  if (text === undefined) {
    throw expressionFailed.error(`a ${describeType(typeOf(value))} cannot be part of a string`, {
      advice: "Use join(…) for a list, jsonencode(…) for everything else.",
    });
  }
  return text;
}
