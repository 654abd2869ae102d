import { define } from "./definition";
import { number } from "./parameter";

export const floor = define("floor", [number("num")], ([num]) =>
  typeof num === "bigint" ? num : Math.floor(num),
);
