import { UNKNOWN } from "../../values";
import { define } from "./definition";

/** Unknown while planning. */
export const timestamp = define("timestamp", [], (_none, { scope }) => scope.now ?? UNKNOWN);
