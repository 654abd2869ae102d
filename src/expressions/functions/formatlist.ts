import { ExpressionFailed } from "../../errors";
import { isList } from "../../values";
import { collectionOf } from "../element-type";
import { formatText } from "./support/format-text";
import { define } from "./definition";
import { rest, text, value } from "./parameter";

/** Formats element by element; an argument that is no list stands in every element. */
export const formatlist = define("formatlist", [text("format"), rest(value("args"))], ([template, args]) => {
  const lists = args.filter(isList);
  const [length = 1, ...others] = lists.map((list) => list.length);
  if (others.some((other) => other !== length))
    throw new ExpressionFailed("the lists are not of the same length");
  const texts = Array.from({ length }, (_unused, index) =>
    formatText(
      template,
      args.map((arg) => (isList(arg) ? (arg[index] ?? null) : arg)),
    ),
  );
  return collectionOf("string", texts);
});
