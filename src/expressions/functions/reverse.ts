import { likewise } from "../element-type";
import { defineStructural } from "./definition";
import { sequence } from "./parameter";

export const reverse = defineStructural("reverse", [sequence("list")], ([elements]) =>
  likewise(elements, [...elements].reverse()),
);
