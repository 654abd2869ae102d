import { define } from "./definition";
import { integer } from "./parameter";

export const signum = define("signum", [integer("num")], ([num]) => Math.sign(num));
