import { collectionOf } from "../element-type";
import { consecutiveSubnetsOf } from "./support/network";
import { define } from "./definition";
import { integer, rest, text } from "./parameter";

export const cidrsubnets = define(
  "cidrsubnets",
  [text("prefix"), rest(integer("newbits"))],
  ([prefix, newbits]) => collectionOf("string", consecutiveSubnetsOf(prefix, newbits)),
);
