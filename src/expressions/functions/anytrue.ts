import { combine } from "./support/truth";
import { defineStructural } from "./definition";
import { sequence } from "./parameter";

/** False for no elements; null counts as false. */
export const anytrue = defineStructural("anytrue", [sequence("list")], ([elements]) =>
  combine(elements, true),
);
