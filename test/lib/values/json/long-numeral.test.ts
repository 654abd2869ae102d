import fc from "fast-check";
import { holdsLongNumeral } from "../../../../src/lib/values/json";
import { rounds } from "../../../support/rounds";

/** What is meant, written down plainly. */
const LONG_NUMERAL = /(?:^|[:[,])\s*-?(?:\d{17}|9\d{15})/;

test("a numeral of 17 digits, or of 16 that begin with 9, is long wherever it stands as a value", () => {
  const numeral = fc.stringMatching(/^-?\d{14,18}$/);
  const text = fc.stringMatching(/^[ 0-9a-f.,:["-]{0,40}$/);
  fc.assert(
    fc.property(fc.array(fc.oneof(text, numeral), { maxLength: 8 }), (parts) => {
      const json = parts.join("");
      expect(holdsLongNumeral(json)).toBe(LONG_NUMERAL.test(json));
    }),
    { numRuns: rounds(400) },
  );
});

test("a very long run of digits is looked at once", () => {
  expect(holdsLongNumeral(`"${"1".repeat(2_000_000)}"`)).toBe(false);
});
