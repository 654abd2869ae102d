import { define } from "./definition";
import { textList } from "./parameter";

/** Without elements that are null or empty. */
export const compact = define("compact", [textList("list")], ([elements]) =>
  elements.filter((element) => element !== null && element !== ""),
);
