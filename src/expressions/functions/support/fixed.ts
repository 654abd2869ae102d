import { formatDecimal, type Decimal } from "../../decimal";
import { MAX_BITS } from "../../limits";

/**
 * A number with so many places. Terraform holds fractions as binary numbers of 512 bits, which is what decides how one rounds
 * that stands half-way between two.
 */
export function fixed({ digits, scale }: Decimal, places: number): string {
  const shift = significantShift(digits, 10n ** BigInt(scale));
  const binary = divideRounding(digits << shift, 10n ** BigInt(scale));
  return formatDecimal({
    digits: divideRounding(binary * 10n ** BigInt(places), 1n << shift),
    scale: places,
  });
}

/** How far to shift a dividend, so that the quotient has as many bits as Terraform's numbers. */
function significantShift(dividend: bigint, divisor: bigint): bigint {
  const near = Math.max(0, MAX_BITS - bitLength(dividend) + bitLength(divisor));
  const excess = bitLength((dividend << BigInt(near)) / divisor) - MAX_BITS;
  return BigInt(Math.max(0, near - excess));
}

function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(2).length;
}

/** To the nearest integer, and to the even one of two that are equally near. */
function divideRounding(dividend: bigint, divisor: bigint): bigint {
  if (dividend < 0n) return -divideRounding(-dividend, divisor);
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/** A number with one digit before the point, so many places, and a power of ten. */
export function exponential(decimal: Decimal, places: number): string {
  const { digits, scale } = decimal;
  if (digits === 0n) return `${fixed(decimal, places)}e+0`;
  const size = (digits < 0n ? -digits : digits).toString().length;
  const exponent = size - scale - 1;
  // The same digits, with the point behind the first one.
  const text = fixed({ digits, scale: size - 1 }, places);
  // Rounding may have made 10 of 9.99: one digit more than there should be.
  const carried = /^-?10/.test(text);
  const mantissa = carried ? fixed({ digits: digits < 0n ? -1n : 1n, scale: 0 }, places) : text;
  const power = carried ? exponent + 1 : exponent;
  return `${mantissa}e${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}
