import { normalNumber } from "../../values";
import { define } from "./definition";
import { number } from "./parameter";

export const abs = define("abs", [number("num")], ([num]) => (num < 0 ? normalNumber(-num) : num));
