import fc from "fast-check";
import { jsonText } from "../../../src/render/json";
import { anyCharacter } from "../../support/any-character";

test("what a terminal would obey or hide is escaped", () => {
  expect(jsonText({ a: "x\u009b2J\u202e\u200b\u{e0041}é😀" })).toBe(
    String.raw`{"a":"x\u009b2J\u202e\u200b\udb40\udc41é😀"}`,
  );
});

test("whatever is escaped reads back as it was", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(JSON.parse(jsonText({ [text]: text }))).toEqual(JSON.parse(JSON.stringify({ [text]: text })));
    }),
  );
});
