/** Brings each number to one form: `number` where that is exact, `bigint` for larger integers. */

/** Brings an integer of either kind to its one form, so that `===` compares numbers. */
export function normalNumber(value: number | bigint): number | bigint {
  if (typeof value === "number") return value;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/**
 * Reads a decimal numeral without loss.
 * @returns undefined if the text is no number.
 */
export function parseNumber(text: string): number | bigint | undefined {
  if (/^-?\d+$/.test(text)) return normalNumber(BigInt(text));
  if (/^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text)) return Number(text);
  return undefined;
}

export function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

export function isInteger(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isInteger(value);
}

// Arithmetic as Terraform does it: integers exact, and fractions decimal, so that 0.1 + 0.2 is 0.3. A result that has no short decimal form is
// the nearest double.

/** Bits of an integer: the exact range of Terraform's numbers. */
export const MAX_BITS = 512;

/** `digits` × 10^-`scale`; the scale is not negative. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const NUMERAL = /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d{1,6}))?$/;
const MAX_SCALE = 400;
const LIMIT = 1n << BigInt(4 * MAX_BITS);

/** Reads a numeral exactly; undefined if it is none, or is beyond all bounds. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign, whole = "", fraction = "", exponent = "0"] = NUMERAL.exec(text) ?? [];
  if (sign === undefined || whole + fraction === "") return undefined;
  const scale = fraction.length - Number(exponent);
  if (Math.abs(scale) > MAX_SCALE || whole.length > MAX_SCALE) return undefined;
  const magnitude = BigInt(whole + fraction) * (scale < 0 ? 10n ** BigInt(-scale) : 1n);
  return withoutTrailingZeros({ digits: sign === "-" ? -magnitude : magnitude, scale: Math.max(0, scale) });
}

export function toDecimal(value: number | bigint): Decimal {
  if (typeof value === "bigint") return { digits: value, scale: 0 };
  if (Number.isInteger(value)) return { digits: BigInt(value), scale: 0 };
  const decimal = parseDecimal(String(value));
  if (decimal === undefined) throw new RangeError("the number is too large or too precise");
  return decimal;
}

/** The number that expressions carry: exact where it is an integer, else the nearest double. */
export function toNumber({ digits, scale }: Decimal): number | bigint {
  if (scale === 0) return normalNumber(digits);
  return Number(formatDecimal({ digits, scale }));
}

/**
 * The number that the digits of a double say, as its shortest form shows them.
 * @returns undefined if the double is not finite.
 */
export function fromDouble(value: number): number | bigint | undefined {
  const decimal = parseDecimal(String(value));
  return decimal && toNumber(decimal);
}

/** Plain digits, never an exponent. */
export function formatNumber(value: number | bigint): string {
  return formatDecimal(toDecimal(value));
}

/** Plain digits, and as many places as the scale says. */
export function formatDecimal({ digits, scale }: Decimal): string {
  if (scale === 0) return digits.toString();
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0");
  return `${digits < 0n ? "-" : ""}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

export function add(a: Decimal, b: Decimal): Decimal {
  const [left, right, scale] = align(a, b);
  return withoutTrailingZeros({ digits: left + right, scale });
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, { digits: -b.digits, scale: b.scale });
}

/** Undefined if the product is beyond all bounds. */
export function multiply(a: Decimal, b: Decimal): Decimal | undefined {
  const digits = a.digits * b.digits;
  if (digits > LIMIT || digits < -LIMIT || a.scale + b.scale > MAX_SCALE) return undefined;
  return withoutTrailingZeros({ digits, scale: a.scale + b.scale });
}

/** The quotient, to as many places as matter. The divisor is not zero. */
export function divide(a: Decimal, b: Decimal): Decimal {
  const [left, right] = align(a, b);
  if (left % right === 0n) return { digits: left / right, scale: 0 };
  const places = 40;
  return withoutTrailingZeros({ digits: (left * 10n ** BigInt(places)) / right, scale: places });
}

/** The remainder of a division, with the sign of the dividend; the divisor is not zero. */
export function remainder(a: Decimal, b: Decimal): Decimal {
  const [left, right, scale] = align(a, b);
  return withoutTrailingZeros({ digits: left % right, scale });
}

function align(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  const raised = (value: Decimal) => value.digits * 10n ** BigInt(scale - value.scale);
  return [raised(a), raised(b), scale];
}

function withoutTrailingZeros({ digits, scale }: Decimal): Decimal {
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale--;
  }
  return { digits, scale };
}
