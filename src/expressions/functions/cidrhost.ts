import { hostIn, whole } from "./support/network";
import { define } from "./definition";
import { number, text } from "./parameter";

export const cidrhost = define("cidrhost", [text("prefix"), number("hostnum")], ([prefix, hostnum]) =>
  hostIn(prefix, BigInt(whole(hostnum))),
);
