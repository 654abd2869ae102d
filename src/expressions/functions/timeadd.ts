import { addDuration, formatInstant, parseDuration, parseInstant } from "./support/instant";
import { define } from "./definition";
import { text } from "./parameter";

export const timeadd = define("timeadd", [text("timestamp"), text("duration")], ([timestamp, duration]) =>
  formatInstant(addDuration(parseInstant(timestamp), parseDuration(duration))),
);
