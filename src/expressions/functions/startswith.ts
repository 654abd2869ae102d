import { define } from "./definition";
import { text } from "./parameter";

export const startswith = define("startswith", [text("str"), text("prefix")], ([str, prefix]) =>
  str.startsWith(prefix),
);
