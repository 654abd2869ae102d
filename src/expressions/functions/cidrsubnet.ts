import { subnetOf, whole } from "./support/network";
import { define } from "./definition";
import { integer, number, text } from "./parameter";

export const cidrsubnet = define(
  "cidrsubnet",
  [text("prefix"), integer("newbits"), number("netnum")],
  ([prefix, newbits, netnum]) => subnetOf(prefix, newbits, BigInt(whole(netnum))),
);
