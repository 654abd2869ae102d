import { normalNumber } from "../../../values";
import { Malformed } from "./malformed";

/** Nobody writes a numeral of this length; parsing it would hold up every other call. */
const LONGEST_NUMERAL = 10_000;

/**
 * Reads a decimal numeral: an integer exactly, a fraction as a double next to it, and never as an integer.
 * @throws Malformed where the text is no number, or a fraction among numbers so great that doubles have none.
 */
export function parseNumeral(text: string): number | bigint {
  const parts = /^(-?)(\d*)(?:\.(\d+))?(?:[eE]([-+]?\d{1,5}))?$/.exec(text);
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts ?? [];
  if (whole.length + fraction.length === 0) throw new Malformed("a numeral has other characters than digits");
  const digits = `${whole}${fraction}`;
  const point = whole.length + Number(exponent);
  if (Math.max(digits.length, point) > LONGEST_NUMERAL) throw new Malformed("a numeral is too long");
  const fractional = digits.slice(Math.max(point, 0));
  if (/^0*$/.test(fractional)) {
    const integer = digits.slice(0, Math.max(point, 0)).padEnd(point, "0");
    return normalNumber(BigInt(`${sign}${integer || "0"}`));
  }
  return nearestFraction(Number(text));
}

/** The number itself, or the next one that is no integer. */
function nearestFraction(value: number): number {
  if (!Number.isInteger(value)) return value;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) + 1n);
  const next = view.getFloat64(0);
  if (Number.isInteger(next)) throw new Malformed("a fraction has more digits than can be held");
  return next;
}
