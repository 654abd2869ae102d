import { hash } from "./support/hash";
import { define } from "./definition";
import { text } from "./parameter";

export const sha1 = define("sha1", [text("str")], ([str]) => hash("sha1", str, "hex"));
