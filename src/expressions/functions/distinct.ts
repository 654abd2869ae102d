import type { Value } from "../../values";
import { writeJson } from "./support/write-json";
import { define } from "./definition";
import { anyList } from "./parameter";

export const distinct = define("distinct", [anyList("list")], ([elements]) => {
  const seen = new Set<string>();
  return elements.filter((element) => {
    const text = writeJson(element as Value);
    return !seen.has(text) && seen.add(text);
  });
});
