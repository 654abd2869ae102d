/** Converts values from one type to another, as Terraform does. */
import { expressionFailed } from "../problems";
import {
  convert,
  describeType,
  formatPath,
  type Marked,
  Mismatch,
  type Path,
  type Type,
  typeOf,
} from "../values";

/**
 * Converts a value; null and unknown are of every type.
 * @throws expressionFailed where the value cannot be of that type.
 */
export function convertOrFail(value: Marked, type: Type, path: Path = []): Marked {
  const converted = convert(value, type);
  if (!(converted instanceof Mismatch)) return converted;
  const place = [...path, ...converted.path];
  const problem = problemOf(converted);
  throw expressionFailed.error(place.length === 0 ? problem : `${formatPath(place)}: ${problem}`);
}

function problemOf({ reason }: Mismatch): string {
  switch (reason.kind) {
    case "mixed":
      return "all elements must have the same type";
    case "absent":
      return `attribute "${reason.name}" is required`;
    case "length":
      return `a list of ${reason.wanted} elements is required, and this is a ${describeType(typeOf(reason.found))}`;
    case "type": {
      const wanted = describeType(reason.wanted);
      return `${wanted === "object" ? "an" : "a"} ${wanted} is required, and this is a ${describeType(typeOf(reason.found))}`;
    }
  }
}
