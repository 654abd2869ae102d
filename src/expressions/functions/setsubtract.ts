import { combineSets } from "./support/sets";
import { define } from "./definition";
import { anySet } from "./parameter";

export const setsubtract = define("setsubtract", [anySet("a"), anySet("b")], ([a, b]) =>
  combineSets([a, b], (elements, _other, held) => elements.filter((element) => !held.has(element))),
);
