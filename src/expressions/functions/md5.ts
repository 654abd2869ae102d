import { hash } from "./support/hash";
import { define } from "./definition";
import { text } from "./parameter";

export const md5 = define("md5", [text("str")], ([str]) => hash("md5", str, "hex"));
