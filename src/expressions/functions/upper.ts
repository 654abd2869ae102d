import { define } from "./definition";
import { text } from "./parameter";
import { toUpper } from "./support/letter-case";

export const upper = define("upper", [text("str")], ([str]) => toUpper(str));
