import { collectionOf } from "../element-type";
import type { Marked } from "../marks";
import { matches, typeOfMatch } from "./support/regular-expression";
import { define } from "./definition";
import { text } from "./parameter";

export const regexall = define("regexall", [text("pattern"), text("string")], ([pattern, str]) =>
  collectionOf<Marked[]>(typeOfMatch(pattern), [...matches(pattern, str)]),
);
