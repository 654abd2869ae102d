import { define } from "./definition";
import { text } from "./parameter";

export const trimspace = define("trimspace", [text("str")], ([str]) =>
  str.replace(/^[\s\u0085]+|[\s\u0085]+$/g, ""),
);
