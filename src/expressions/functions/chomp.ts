import { define } from "./definition";
import { text } from "./parameter";

export const chomp = define("chomp", [text("str")], ([str]) => str.replace(/[\r\n]+$/, ""));
