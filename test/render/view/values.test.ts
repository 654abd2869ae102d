import { quote, quotePair, shownTransition, shownValue } from "../../../src/render/view/values";
import { textSet } from "../../../src/schema";
import { UNKNOWN, type Value } from "../../../src/lib/values";

test("values read as in Terraform", () => {
  expect(shownValue(null)).toBe("null");
  expect(shownValue(2n ** 60n)).toBe("1152921504606846976");
  expect(shownValue([])).toBe("[]");
  expect(shownValue({})).toBe("{}");
  expect(shownValue(["a", UNKNOWN])).toBe('["a", (known after apply)]');
  expect(shownValue({ a: 1, "b c": [true] })).toBe('{ a = 1, "b c" = [true] }');
});

test("long values are cut", () => {
  expect(shownValue(Array.from({ length: 10 }, (_unused, index) => index))).toBe(
    "[0, 1, 2, 3, 4, 5, 6, 7, … 2 more]",
  );
  expect(quote("x".repeat(100))).toBe(`"${"x".repeat(80)}"…`);
  expect(quote("😀".repeat(50))).toBe(`"${"😀".repeat(50)}"`);
});

test("two long texts are cut where they differ", () => {
  const [before, after] = quotePair(`${"x".repeat(100)}old`, `${"x".repeat(100)}new`);
  expect(before).toBe(`…"${"x".repeat(16)}old"`);
  expect(after).toBe(`…"${"x".repeat(16)}new"`);
});

test("a long set shows what it loses and gains", () => {
  const before: Value = ["a", "b", "c", "d", "e"];
  const shown = (after: Value): string =>
    shownTransition({ path: ["tags"], attribute: textSet("Tags."), before, after }, () => false);
  expect(shown(["b", "c", "d", "e", "f"])).toBe('-"a", +"f", 4 unchanged');
  expect(shown(null)).toBe('["a", "b", "c", "d", "e"] -> null');
});
