import { combine } from "./support/truth";
import { defineStructural } from "./definition";
import { sequence } from "./parameter";

/** True for no elements; null counts as false. */
export const alltrue = defineStructural("alltrue", [sequence("list")], ([elements]) =>
  combine(elements, false),
);
