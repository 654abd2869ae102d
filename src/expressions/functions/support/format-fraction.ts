/** Numbers with a fraction or an exponent, as `%f`, `%e`, `%g` and `%v` write them. */
import { formatNumber, toDecimal } from "../../decimal";
import { exponential, fixed } from "./fixed";

export function formatFraction(
  letter: "f" | "e" | "E" | "g" | "G",
  value: number | bigint,
  precision?: number,
): string {
  const text = {
    f: () => fixed(toDecimal(value), Math.min(precision ?? 6, 1000)),
    e: () => exponential(toDecimal(value), Math.min(precision ?? 6, 1000)),
    g: () => general(value, precision),
  }[letter.toLowerCase() as "f" | "e" | "g"]();
  const padded = text.replace(/e([-+])(\d)$/, "e$10$2");
  return letter === "E" || letter === "G" ? padded.toUpperCase() : padded;
}

/** As short as the value allows, and with an exponent where the number is large or small for its digits. */
function general(value: number | bigint, precision?: number): string {
  if (value === 0) return "0";
  const { digits, exponent } =
    precision === undefined ? exact(value) : rounded(value, Math.max(1, Math.min(precision, 100)));
  const places = precision ?? 6;
  const limit =
    precision !== undefined && places > digits.length && digits.length > exponent ? digits.length : places;
  const sign = value < 0 ? "-" : "";
  if (exponent >= -4 && exponent < limit) return sign + plain(digits, exponent);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${sign}${digits.charAt(0)}${fraction}e${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}

interface Scientific {
  /** Significant digits, without zeros at the end. */
  readonly digits: string;
  /** Of ten, for the first digit. */
  readonly exponent: number;
}

function exact(value: number | bigint): Scientific {
  const [whole = "", fraction = ""] = formatNumber(value).replace("-", "").split(".");
  const all = whole + fraction;
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  return { digits: all.slice(leading).replace(/0+$/, ""), exponent: whole.length - leading - 1 };
}

function rounded(value: number | bigint, precision: number): Scientific {
  const [mantissa = "", exponent] = Math.abs(Number(value))
    .toExponential(precision - 1)
    .split("e");
  return { digits: mantissa.replace(".", "").replace(/0+$/, ""), exponent: Number(exponent) };
}

function plain(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, "0");
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}
