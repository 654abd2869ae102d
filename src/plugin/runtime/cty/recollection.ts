import { exactDecimal } from "./exact-decimal";
import { Malformed } from "./malformed";
import { parseNumeral } from "./numeral";
import { type Type } from "./type";

/**
 * What the values of one call said beyond what a `Value` can hold: the digits of numbers more exact than a double, and
 * the types in places of type `dynamic`. With it, a value that a resource gives back unchanged leaves unchanged too.
 */
export class Recollection {
  readonly #numerals = new Map<number, string>();
  readonly #types = new Map<string, { readonly type: Type; readonly isNull: boolean }>();

  /** Reads a decimal numeral; the exact digits are kept where a double loses some. */
  readNumeral(text: string): number | bigint {
    const value = parseNumeral(text);
    if (typeof value === "number" && String(value) !== text) this.#numerals.set(value, text);
    return value;
  }

  /** Takes note of the exact value of a number that came as binary floating point. */
  readFloat(value: number): number {
    if (Number.isNaN(value)) throw new Malformed("not a number");
    return Number.isFinite(value) ? (this.readNumeral(exactDecimal(value)) as number) : value;
  }

  /** The digits to send for a fractional number. */
  writeNumeral(value: number): string {
    return this.#numerals.get(value) ?? String(value);
  }

  /** Takes note of the type that a value in a place of type `dynamic` brought; undefined where it brought none. */
  noteType(place: string, brought: { readonly type: Type; readonly isNull: boolean } | undefined): void {
    if (brought === undefined) this.#types.delete(place);
    else this.#types.set(place, brought);
  }

  /** The type that was brought to this place. A null has one only where a null brought it. */
  typeAt(place: string, isNull: boolean): Type | undefined {
    const brought = this.#types.get(place);
    return brought === undefined || (isNull && !brought.isNull) ? undefined : brought.type;
  }
}
