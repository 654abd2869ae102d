import { ExpressionFailed } from "../../errors";
import { isUnknown, normalNumber, Unknown } from "../../values";
import { asPrimitive } from "../conversions/convert";
import type { Primitive } from "../conversions/type";
import { add, divide, multiply, remainder, subtract, toDecimal, toNumber, type Decimal } from "../decimal";
import { allMarksOf, mark, marksOf, peel, type Marked } from "../marks";
import type { BinaryOperator, Unary } from "../node";
import { areEqual } from "./equality";

const LATER = new Unknown({ notNull: true });

export function applyUnary(operator: Unary["operator"], operand: Marked): Marked {
  const value = operandAs(operator === "!" ? "bool" : "number", operand, operator);
  if (isUnknown(value)) return mark(LATER, marksOf(operand));
  return mark(typeof value === "boolean" ? !value : negated(value as number | bigint), marksOf(operand));
}

function negated(value: number | bigint): number | bigint {
  return value === 0 ? 0 : normalNumber(-value);
}

/** Both sides are always evaluated, and unknown on one side makes the result unknown. */
export function applyBinary(operator: BinaryOperator, left: Marked, right: Marked): Marked {
  if (operator === "==" || operator === "!=") return compareEqual(operator, left, right);
  const marks = marksOf(left) | marksOf(right);
  const type = operator === "&&" || operator === "||" ? "bool" : "number";
  const a = operandAs(type, left, operator);
  const b = operandAs(type, right, operator);
  if (isUnknown(a) || isUnknown(b)) return mark(LATER, marks);
  const result =
    type === "bool"
      ? operator === "&&"
        ? a === true && b === true
        : a === true || b === true
      : compute(operator as NumberOperator, a as number | bigint, b as number | bigint);
  return mark(result, marks);
}

function compareEqual(operator: "==" | "!=", left: Marked, right: Marked): Marked {
  const result = areEqual(left, right);
  const value = result === undefined ? LATER : result === (operator === "==");
  return mark(value, allMarksOf(left) | allMarksOf(right));
}

function operandAs(type: Primitive, operand: Marked, operator: string): Marked {
  const value = peel(operand);
  if (isUnknown(value)) return value;
  if (value === null) throw new ExpressionFailed(`an operand of "${operator}" is null`);
  const converted = asPrimitive(value, type);
  if (converted === undefined) throw new ExpressionFailed(`each operand of "${operator}" must be a ${type}`);
  return converted;
}

type NumberOperator = Exclude<BinaryOperator, "==" | "!=" | "&&" | "||">;

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

/** Fractions with more digits than this are not what somebody wrote, and doubles suit them better than decimals. */
const WRITTEN_DIGITS = 10n ** 15n;

function calculate(
  operator: "+" | "-" | "*" | "/" | "%",
  a: number | bigint,
  b: number | bigint,
): number | bigint {
  if ((operator === "/" || operator === "%") && b === 0) throw new ExpressionFailed("division by zero");
  const quick = calculateIntegers(operator, a, b);
  if (quick !== undefined) return quick;
  const left = toDecimal(a);
  const right = toDecimal(b);
  if (isLongFraction(left) || isLongFraction(right)) return calculateDoubles(operator, Number(a), Number(b));
  const result = DECIMAL[operator](left, right);
  if (result === undefined) throw new ExpressionFailed("the number becomes too large");
  return toNumber(result);
}

/** What doubles hold exactly needs no decimals; undefined where they may not. */
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
