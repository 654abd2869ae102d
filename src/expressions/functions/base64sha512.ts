import { hash } from "./support/hash";
import { define } from "./definition";
import { text } from "./parameter";

export const base64sha512 = define("base64sha512", [text("str")], ([str]) => hash("sha512", str, "base64"));
