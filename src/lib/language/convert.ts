/** Converts values from one type to another, as Terraform does. */
import { expressionFailed } from "../../problems";
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
 * @throws expressionFailed if the value cannot be of that type.
 */
export function convertOrFail(value: Marked, type: Type, path: Path = []): Marked {
  const converted = convert(value, type);
  if (!(converted instanceof Mismatch)) return converted;
  const place = [...path, ...pathWithoutSecrets(converted.path, value, type)];
  const problem = mismatchText(converted);
  throw expressionFailed.error(place.length === 0 ? problem : `${formatPath(place)}: ${problem}`);
}

/** A path into a value, without the keys of marked parts. The names in an object type are no secret. */
function pathWithoutSecrets(path: Path, value: Marked, type: Type): Path {
  let rest: Marked | undefined = value;
  let targetType: Type | undefined = type;
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
    const isNamed =
      typeof targetType === "object" && targetType.kind === "object" && targetType.members.has(String(step));
    targetType = targetType && typeAtStep(targetType, step);
    return isMarked && typeof step === "string" && !isNamed ? SENSITIVE_TEXT : step;
  });
}

/** The type that a type has for a step of a path. */
function typeAtStep(type: Type, step: string | number): Type | undefined {
  if (typeof type === "string") return undefined;
  switch (type.kind) {
    case "object":
      return type.members.get(String(step))?.type;
    case "tuple":
      return type.elements[Number(step)];
    case "list":
    case "set":
    case "map":
      return type.element;
  }
}

function mismatchText({ reason }: Mismatch): string {
  switch (reason.kind) {
    case "mixed":
      return "all elements must have the same type";
    case "absent":
      return `attribute "${reason.name}" is required`;
    case "length":
      return `a list of ${reason.wanted} elements is required, and this is a ${describeType(typeOf(reason.found))}`;
    case "type": {
      const typeText = describeType(reason.wanted);
      return `${typeText === "object" ? "an" : "a"} ${typeText} is required, and this is a ${describeType(typeOf(reason.found))}`;
    }
  }
}
