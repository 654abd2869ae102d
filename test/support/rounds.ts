/** How often a property is tried; `npm run fuzz` makes a long campaign of the tests. */
export function rounds(count: number): number {
  return count * Number(process.env["FUZZ_FACTOR"] ?? 1);
}
