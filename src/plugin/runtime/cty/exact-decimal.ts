/** All decimal digits of a finite double, which are more than `String` gives: 0.1 has 55 of them. */
export function exactDecimal(value: number): string {
  let scaled = Math.abs(value);
  let places = 0;
  // Doubling is exact; after as many steps as there are binary places, the number is whole.
  for (; !Number.isInteger(scaled); scaled *= 2) places++;
  const sign = value < 0 ? "-" : "";
  if (places === 0) return `${sign}${BigInt(scaled)}`;
  const digits = (BigInt(scaled) * 5n ** BigInt(places)).toString().padStart(places + 1, "0");
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
