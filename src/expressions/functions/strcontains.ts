import { define } from "./definition";
import { text } from "./parameter";

export const strcontains = define("strcontains", [text("str"), text("substr")], ([str, part]) =>
  str.includes(part),
);
