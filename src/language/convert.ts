/** Converts values from one type to another, as Terraform does. */
import { expressionFailed } from "../problems";
import {
  convert,
  describeType,
  formatPath,
  isMarkedList,
  isMarkedObject,
  type Marked,
  marksOf,
  Mismatch,
  NO_MARKS,
  type Path,
  SENSITIVE_TEXT,
  type Type,
  typeOf,
  unwrap,
} from "../values";

/**
 * Converts a value; null and unknown are of every type.
 * @throws expressionFailed where the value cannot be of that type.
 */
export function convertOrFail(value: Marked, type: Type, path: Path = []): Marked {
  const converted = convert(value, type);
  if (!(converted instanceof Mismatch)) return converted;
  const place = [...path, ...shown(converted.path, value)];
  const problem = problemOf(converted);
  throw expressionFailed.error(place.length === 0 ? problem : `${formatPath(place)}: ${problem}`);
}

/** A path into a value, without the keys of what is marked. */
function shown(path: Path, value: Marked): Path {
  let rest: Marked | undefined = value;
  let isMarked = false;
  return path.map((step) => {
    isMarked ||= rest !== undefined && marksOf(rest) !== NO_MARKS;
    const inner: Marked | undefined = rest === undefined ? undefined : unwrap(rest);
    rest =
      typeof step === "number"
        ? isMarkedList(inner)
          ? inner[step]
          : undefined
        : isMarkedObject(inner)
          ? inner[step]
          : undefined;
    return isMarked && typeof step === "string" ? SENSITIVE_TEXT : step;
  });
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
