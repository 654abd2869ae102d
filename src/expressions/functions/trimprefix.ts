import { define } from "./definition";
import { text } from "./parameter";

export const trimprefix = define("trimprefix", [text("str"), text("prefix")], ([str, prefix]) =>
  str.startsWith(prefix) ? str.slice(prefix.length) : str,
);
