import type { Value } from "../../values";
import { likewise } from "../element-type";
import { writeJson } from "./support/write-json";
import { define } from "./definition";
import { anyList } from "./parameter";

export const distinct = define("distinct", [anyList("list")], ([elements]) => {
  const seen = new Set<string>();
  const first = elements.filter((element) => {
    const text = writeJson(element as Value);
    return !seen.has(text) && seen.add(text);
  });
  return likewise(elements, first);
});
