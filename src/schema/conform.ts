/** Converts an evaluated configuration to the types of its description, as Terraform does. */
import { type Finding, invalidValue, missingAttribute, unknownAttribute } from "../problems";
import {
  asInteger,
  asPrimitive,
  emptyObject,
  formatPath,
  isInteger,
  isList,
  isNumber,
  isObject,
  isUnknown,
  type ObjectValue,
  onceForEach,
  type Path,
  type Value,
} from "../lib/values";
import type { Attributes, Scalar, AttributeShape } from "./attribute";

interface Conformed {
  /** Only declared values: an absent attribute stays absent. */
  readonly config: ObjectValue;
  readonly findings: readonly Finding[];
}

/**
 * Converts numerals in strings to integers, `"true"` to true, numbers to strings and so on; finds unknown, missing and computed
 * attributes and values that cannot be converted.
 */
export function conform(attributes: Attributes, raw: ObjectValue): Conformed {
  const { config, findings } = conformPart(attributes, raw);
  return { config, findings: [...findings, ...missingAttributes(attributes, config)] };
}

/**
 * As {@link conform}, for some of the members of a configuration: only the complete configuration shows which are {@link missingAttributes}.
 */
export function conformPart(attributes: Attributes, raw: ObjectValue): Conformed {
  const findings: Finding[] = [];
  const config = conformMembers(attributes, raw, [], findings);
  return { config, findings };
}

/** Findings for the required members that are not there. */
export function missingAttributes(
  attributes: Attributes,
  config: ObjectValue,
  parent: Path = [],
): readonly Finding[] {
  return requiredNames(attributes).flatMap((name) =>
    (config[name] ?? null) === null ? [missingAttribute.at(name, { attribute: [...parent, name] })] : [],
  );
}

/** The place that is being looked at: one list that grows and shrinks, copied only into findings, because there are few. */
type Trail = (string | number)[];

function conformGroup(
  attributes: Attributes,
  raw: ObjectValue,
  trail: Trail,
  findings: Finding[],
): ObjectValue {
  const config = conformMembers(attributes, raw, trail, findings);
  findings.push(...missingAttributes(attributes, raw, trail));
  return config;
}

function conformMembers(
  attributes: Attributes,
  raw: ObjectValue,
  trail: Trail,
  findings: Finding[],
): ObjectValue {
  let config: ObjectValue = raw;
  const set = (name: string, value: Value): void => {
    if (config === raw) config = { ...raw };
    (config as Record<string, Value>)[name] = value;
  };
  for (const name of Object.keys(raw)) {
    trail.push(name);
    const declaredValue = raw[name] ?? null;
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (attribute === undefined) {
      const where = { attribute: [...trail] };
      findings.push(unknownAttribute.at({ name, known: Object.keys(attributes) }, where));
    } else if (attribute.presence === "computed" && declaredValue !== null) {
      findings.push(...givenByService(trail));
    } else {
      const converted = conformValue(attribute.shape, declaredValue, trail, findings);
      if (converted !== declaredValue) set(name, converted);
    }
    trail.pop();
  }
  return config;
}

function givenByService(trail: Trail): readonly Finding[] {
  return [
    invalidValue.at(`"${formatPath(trail)}" is given by the service and cannot be set`, {
      attribute: [...trail],
      advice: "Remove it.",
    }),
  ];
}

const requiredNames = onceForEach((attributes: Attributes) =>
  Object.keys(attributes).filter((name) => attributes[name]?.presence === "required"),
);

function conformValue(shape: AttributeShape, value: Value, trail: Trail, findings: Finding[]): Value {
  if (isUnknown(value) || value === null) return value;
  switch (shape.kind) {
    case "string":
    case "integer":
    case "bool": {
      const { kind } = shape;
      const converted = kind === "integer" ? asInteger(value) : asPrimitive(value, kind);
      return converted ?? reportMismatch(value, EXPECTED[kind], trail, findings);
    }
    case "list":
    case "set":
      return isList(value)
        ? conformList(shape.kind, shape.of, value, trail, findings)
        : reportMismatch(value, "a list", trail, findings);
    case "map": {
      if (!isObject(value)) return reportMismatch(value, "a map", trail, findings);
      const result = emptyObject();
      for (const [key, element] of Object.entries(value)) {
        result[key] = atStep(key, trail, () => {
          if (element !== null) return conformValue({ kind: shape.of }, element, trail, findings);
          findings.push(
            invalidValue.at(`must be ${EXPECTED[shape.of]}, not null`, {
              attribute: [...trail],
              advice: "Give it a value, or leave the key out.",
            }),
          );
          return element;
        });
      }
      return result;
    }
    case "group":
      return isObject(value)
        ? conformGroup(shape.attributes, value, trail, findings)
        : reportMismatch(value, "an object", trail, findings);
    case "groups":
      if (!isList(value)) return reportMismatch(value, "a list of objects", trail, findings);
      return mapOrSame(value, (element, index) =>
        isObject(element)
          ? atStep(index, trail, () => conformGroup(shape.attributes, element, trail, findings))
          : reportMismatch(value, "objects", trail, findings),
      );
  }
}

function conformList(
  kind: "list" | "set",
  of: Scalar,
  value: readonly Value[],
  trail: Trail,
  findings: Finding[],
): readonly Value[] {
  const conformed = (element: Value): Value => {
    if (element !== null) return conformValue({ kind: of }, element, trail, findings);
    findings.push(invalidValue.at("must not contain null", { attribute: [...trail] }));
    return element;
  };
  // Elements of a set have no path.
  if (kind === "set") return withoutDuplicates(mapOrSame(value, conformed));
  return mapOrSame(value, (element, index) => atStep(index, trail, () => conformed(element)));
}

function atStep<T>(step: string | number, trail: Trail, work: () => T): T {
  trail.push(step);
  const result = work();
  trail.pop();
  return result;
}

function reportMismatch(value: Value, expectation: string, trail: Trail, findings: Finding[]): Value {
  findings.push(
    invalidValue.at(`must be ${expectation}, not ${foundKind(value)}`, { attribute: [...trail] }),
  );
  return value;
}

/** Each known element once; an unknown element may be anything. */
function withoutDuplicates(elements: readonly Value[]): readonly Value[] {
  const distinctElements = new Set<Value>();
  const unique = elements.filter(
    (element) => isUnknown(element) || (!distinctElements.has(element) && distinctElements.add(element)),
  );
  return unique.length === elements.length ? elements : unique;
}

/** Like `map`, but answers the same list where no element changes. */
function mapOrSame(
  list: readonly Value[],
  convert: (element: Value, index: number) => Value,
): readonly Value[] {
  const result = list.map(convert);
  return result.every((element, index) => element === list[index]) ? list : result;
}

const EXPECTED: Readonly<Record<Scalar, string>> = {
  string: "a string",
  integer: "a whole number",
  bool: "true or false",
};

/** The kind of the value that was found. The value may be a secret, so it is not shown. */
function foundKind(value: Value): string {
  if (isList(value)) return "a list";
  if (isObject(value)) return "an object";
  if (isInteger(value)) return "a number";
  if (isNumber(value)) return "a fraction";
  return value === true || value === false ? "true or false" : "this string";
}
