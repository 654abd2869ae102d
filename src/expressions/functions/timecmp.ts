import { parseInstant } from "./support/instant";
import { define } from "./definition";
import { text } from "./parameter";

export const timecmp = define("timecmp", [text("timestamp_a"), text("timestamp_b")], ([a, b]) => {
  const [left, right] = [parseInstant(a).nanoseconds, parseInstant(b).nanoseconds];
  return left < right ? -1 : left > right ? 1 : 0;
});
