import { hash } from "./support/hash";
import { define } from "./definition";
import { text } from "./parameter";

export const sha512 = define("sha512", [text("str")], ([str]) => hash("sha512", str, "hex"));
