/** Brings each number to one form: `number` where that is exact, `bigint` for larger integers. */

/** Brings an integer of either kind to its one form, so that `===` compares numbers. */
export function normalNumber(value: number | bigint): number | bigint {
  if (typeof value === "number") return value;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/**
 * Reads a decimal numeral without loss.
 * @returns undefined where the text is no number.
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
