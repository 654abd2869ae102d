import fc from "fast-check";
import { plainText, shownName, strippedText } from "../../../../src/lib/values";
import { anyCharacter } from "../../../support/any-character";

test("colours, cursor movements and window titles are taken out whole", () => {
  expect(plainText("\u001b[31mred\u001b[0m \u001b]0;owned\u0007title\u001b[2J\u009b1mend")).toBe(
    "red titleend",
  );
});

test("line breaks become blanks, so that no line can be forged", () => {
  expect(plainText("first\r\nError: second\tthird\u2028fourth")).toBe("first Error: second third fourth");
});

test("bidirectional overrides, zero-width and tag characters are escaped", () => {
  expect(plainText("a\u202eb\u2066c\u200bd\ufeffe\u{e0041}f\u00adg\u00a0h\u2800i")).toBe(
    String.raw`a\u202eb\u2066c\u200bd\ufeffe\udb40\udc41f\u00adg\u00a0h\u2800i`,
  );
});

test("a secret is found in what the service says, whatever stands between its letters", () => {
  expect(strippedText("\u001b[1ma\u202eb\n\u2066c\u200bd")).toBe("ab cd");
  expect(strippedText("abcd", 3)).toBe("ab…");
});

test.each([
  ["jane@acme", "jane@acme"],
  [" jane", '" jane"'],
  ["jane ", '"jane "'],
  ["jane doe", "jane doe"],
  ["jane  doe", String.raw`jane \u0020doe`],
  ["jane\u00a0doe", String.raw`jane\u00a0doe`],
  ["ja\u00adne", String.raw`ja\u00adne`],
  ["ja\u200bne", String.raw`ja\u200bne`],
  ["ja\nne\t", String.raw`ja\u000ane\u0009`],
  ["\u001b[2Jjane", String.raw`\u001b[2Jjane`],
  ["ja\u{e0041}ne", String.raw`ja\udb40\udc41ne`],
  ["jane\ufe0f", String.raw`jane\ufe0f`],
  ["Größe 容量", "Größe 容量"],
])("a name is shown with all that is in it: %j", (text, shown) => {
  expect(shownName(text)).toBe(shown);
});

test("names that differ are shown as different ones", () => {
  const names = fc.string({
    unit: fc.constantFrom("a", " ", "\u200b", "\u00ad", "\u3164", "\n", "\u2060"),
    maxLength: 5,
  });
  fc.assert(fc.property(names, names, (one, other) => one === other || shownName(one) !== shownName(other)));
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
      expect(shownName(text, limit)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
      expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
    }),
  );
});
