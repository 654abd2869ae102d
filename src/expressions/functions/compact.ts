import { collectionOf } from "../element-type";
import { define } from "./definition";
import { textList } from "./parameter";

/** Without elements that are null or empty. */
export const compact = define("compact", [textList("list")], ([elements]) =>
  collectionOf(
    "string",
    elements.filter((element) => element !== null && element !== ""),
  ),
);
