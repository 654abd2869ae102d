import { ExpressionFailed } from "../../errors";
import { convert } from "../conversions/convert";
import { typeOf } from "../conversions/type";
import { unify } from "../conversions/unify";
import { elementTypeOf } from "../element-type";
import { bounded } from "./support/bounded";
import { defineStructural } from "./definition";
import { rest, list } from "./parameter";

/** A list where all of them are lists, and have a type in common; else a tuple. */
export const concat = defineStructural("concat", [rest(list("seqs"))], ([seqs]) => {
  if (seqs.length === 0) throw new ExpressionFailed("at least one list is required");
  const all = bounded(seqs.flat());
  const type = seqs.every((seq) => elementTypeOf(seq) !== undefined) ? unify(seqs.map(typeOf)) : undefined;
  return type === undefined ? all : convert(all, type);
});
