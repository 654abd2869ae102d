import { nullablePaths, textSet, type Attribute, type Attributes } from "../schema";

/** The `unset` attribute: paths of nullable values that are to be taken away. */
export function unsetOf(attributes: Attributes): Attribute {
  const paths = nullablePaths(attributes);
  return textSet(
    "Values to be taken away, by their paths. A path that is both set and unset is an error. The paths are " +
      `${paths.map((path) => `\`${path}\``).join(", ")}.`,
  )
    .among(paths)
    .clientOnly();
}
