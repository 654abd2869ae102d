import { define } from "./definition";
import { text } from "./parameter";

export const endswith = define("endswith", [text("str"), text("suffix")], ([str, suffix]) =>
  str.endsWith(suffix),
);
