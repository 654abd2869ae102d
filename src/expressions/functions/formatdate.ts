import { formatDate } from "./support/format-date";
import { parseInstant } from "./support/instant";
import { define } from "./definition";
import { text } from "./parameter";

export const formatdate = define("formatdate", [text("format"), text("time")], ([template, time]) =>
  formatDate(template, parseInstant(time)),
);
