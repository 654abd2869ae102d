import { hash } from "./support/hash";
import { define } from "./definition";
import { text } from "./parameter";

export const sha256 = define("sha256", [text("str")], ([str]) => hash("sha256", str, "hex"));
