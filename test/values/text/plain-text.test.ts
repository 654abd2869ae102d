import fc from "fast-check";
import { plainText } from "../../../src/values";
import { anyCharacter } from "../../support/any-character";

test("colours, cursor movements and window titles are taken out whole", () => {
  expect(plainText("\u001b[31mred\u001b[0m \u001b]0;owned\u0007title\u001b[2J\u009b1mend")).toBe(
    "red titleend",
  );
});

test("line breaks become blanks, so that no line can be forged", () => {
  expect(plainText("first\r\nError: second\tthird\u2028fourth")).toBe("first Error: second third fourth");
});

test("bidirectional overrides, zero-width and tag characters are taken out", () => {
  expect(plainText("a\u202eb\u2066c\u200bd\ufeffe\u{e0041}f")).toBe("abcdef");
});

test("words of any language stay as they are", () => {
  expect(plainText("Größe 容量 объём 😀")).toBe("Größe 容量 объём 😀");
});

test("a long text is cut between characters and marked", () => {
  expect(plainText("😀".repeat(10), 4)).toBe("😀😀😀…");
  expect(plainText("abcd", 4)).toBe("abcd");
});

test("whatever comes in, nothing unprintable comes out", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.integer({ min: 1, max: 50 }), (text, limit) => {
      const plain = plainText(text, limit);
      expect([...plain].length).toBeLessThanOrEqual(limit);
      expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
    }),
  );
});
