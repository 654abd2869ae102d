import { isUnknown, UNKNOWN } from "../../../values";
import { convert } from "../../conversions/convert";
import { allMarksOf, mark, type Marked } from "../../marks";
import { bare } from "../../unmark";

/** One element that is `deciding` makes the result so; null counts as false. */
export function combine(elements: readonly Marked[], deciding: boolean): Marked {
  const values = elements.map((element) => convert(bare(element), "bool") ?? false);
  const undecided = values.some(isUnknown) ? UNKNOWN : !deciding;
  return mark(values.includes(deciding) ? deciding : undecided, allMarksOf(elements));
}
