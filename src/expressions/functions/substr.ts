import { graphemes } from "./support/graphemes";
import { define } from "./definition";
import { integer, text } from "./parameter";

/** Counts in characters as people see them; a negative offset counts from the end, a negative length means the rest. */
export const substr = define(
  "substr",
  [text("str"), integer("offset"), integer("length")],
  ([str, offset, length]) => {
    const characters = graphemes(str);
    const start = offset < 0 ? characters.length + offset : offset;
    const from = Math.min(Math.max(0, start), characters.length);
    return characters.slice(from, length < 0 ? undefined : from + length).join("");
  },
);
