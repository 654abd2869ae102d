import { hash } from "./support/hash";
import { define } from "./definition";
import { text } from "./parameter";

export const base64sha256 = define("base64sha256", [text("str")], ([str]) => hash("sha256", str, "base64"));
