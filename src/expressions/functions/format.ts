import { formatText } from "./support/format-text";
import { define } from "./definition";
import { rest, text, value } from "./parameter";

export const format = define("format", [text("format"), rest(value("args"))], ([template, args]) =>
  formatText(template, args),
);
