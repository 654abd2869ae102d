import { define } from "./definition";
import { number } from "./parameter";

export const ceil = define("ceil", [number("num")], ([num]) =>
  typeof num === "bigint" ? num : Math.ceil(num) + 0,
);
