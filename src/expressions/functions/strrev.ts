import { graphemes } from "./support/graphemes";
import { define } from "./definition";
import { text } from "./parameter";

export const strrev = define("strrev", [text("str")], ([str]) => graphemes(str).reverse().join(""));
