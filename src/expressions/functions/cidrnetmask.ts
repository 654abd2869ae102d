import { netmaskOf } from "./support/network";
import { define } from "./definition";
import { text } from "./parameter";

export const cidrnetmask = define("cidrnetmask", [text("prefix")], ([prefix]) => netmaskOf(prefix));
