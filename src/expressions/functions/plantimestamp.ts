import { UNKNOWN } from "../../values";
import { define } from "./definition";

export const plantimestamp = define("plantimestamp", [], (_none, { scope }) => scope.plannedAt ?? UNKNOWN);
