import { define } from "./definition";
import { text } from "./parameter";

export const trimsuffix = define("trimsuffix", [text("str"), text("suffix")], ([str, suffix]) =>
  str.endsWith(suffix) ? str.slice(0, str.length - suffix.length) : str,
);
