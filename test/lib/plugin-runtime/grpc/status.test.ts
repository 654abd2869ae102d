import * as fc from "fast-check";
import { encodeStatusMessage } from "../../../../src/lib/plugin-runtime/grpc";

test("a status message is printable ASCII, and every client reads back what was said", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (message) => {
      const encoded = encodeStatusMessage(message);
      expect(encoded).toMatch(/^[ -~]*$/);
      expect(decodeURIComponent(encoded)).toBe(message);
    }),
  );
});

test("a message of half a character, or without end, still fits a header", () => {
  expect(encodeStatusMessage("\ud800")).toBe("%EF%BF%BD");
  expect(encodeStatusMessage("x".repeat(100_000))).toHaveLength(2_000);
});
