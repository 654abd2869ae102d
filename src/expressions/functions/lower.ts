import { define } from "./definition";
import { text } from "./parameter";
import { toLower } from "./support/letter-case";

export const lower = define("lower", [text("str")], ([str]) => toLower(str));
