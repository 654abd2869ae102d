import { defineStructural } from "./definition";
import { sequence } from "./parameter";

export const reverse = defineStructural("reverse", [sequence("list")], ([elements]) =>
  [...elements].reverse(),
);
