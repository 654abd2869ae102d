import { ExpressionFailed } from "../../errors";
import { nearest } from "../../values";
import { NO_MARKS, type Marks } from "../marks";

/** More names than these are no help. */
const MOST = 50;

/** @param marks on the whole value: names of what is marked are not told */
export function missingMember(
  name: string,
  names: readonly string[],
  { what, marks }: { readonly what: "attribute" | "key"; readonly marks: Marks },
): ExpressionFailed {
  const problem =
    what === "attribute"
      ? `there is no attribute "${name}" here`
      : `there is no element with the key "${name}"`;
  return new ExpressionFailed(problem, marks === NO_MARKS ? { advice: adviceOn(name, names, what) } : {});
}

function adviceOn(name: string, names: readonly string[], what: "attribute" | "key"): string {
  const near = nearest(name, names);
  if (near !== undefined) return `Did you mean "${near}"?`;
  const word = what === "attribute" ? "attributes" : "keys";
  if (names.length === 0) return `It has no ${word} at all.`;
  const shown = names.slice(0, MOST).join(", ");
  return `The ${word} are: ${shown}${names.length > MOST ? ", …" : "."}`;
}
