import { ExpressionFailed } from "../../errors";
import type { Value } from "../../values";
import { convert } from "../conversions/convert";
import { typeOf } from "../conversions/type";
import { unify } from "../conversions/unify";
import { likewise } from "../element-type";
import type { Marked } from "../marks";
import { define } from "./definition";
import { anyList } from "./parameter";
import { Holdings } from "./support/sets";

/** Those values whose keys, at the same positions, are in the set that is searched for. */
export const matchkeys = define(
  "matchkeys",
  [anyList("values"), anyList("keys"), anyList("searchset")],
  ([candidates, names, wanted]) => {
    if (candidates.length !== names.length)
      throw new ExpressionFailed("there must be as many keys as values");
    const [keys = [], searched = []] = alike([names, wanted]);
    const held = new Holdings(searched);
    return likewise(
      candidates,
      candidates.filter((_candidate, position) => held.has(keys[position] ?? null)),
    );
  },
);

/** Keys are compared by the type that all of them have in common. */
function alike(lists: readonly (readonly Marked[])[]): readonly (readonly Value[])[] {
  const element = unify(lists.flat().map(typeOf));
  if (element === undefined) throw new ExpressionFailed("all keys must have the same type");
  return lists.map((keys) => convert(keys, { kind: "list", element }) as readonly Value[]);
}
