import { parseDuration } from "../../../src/schema";

test.each([
  ["7d", 604_800_000],
  ["1h30m", 5_400_000],
  ["0s", 0],
  ["500ms", 500],
])("%s is understood", (text, milliseconds) => expect(parseDuration(text)).toBe(milliseconds));

test.each(["", "7", "d", "-1s", "1w", "1.5h", "1h ", "99999999999999999d"])("%j is no duration", (text) =>
  expect(parseDuration(text)).toBeUndefined(),
);
