/** Brings an evaluated configuration to the types of the description, with Terraform's conversions. */
import { InvalidValue, MissingAttribute, UnknownAttribute, type Diagnostic } from "../errors";
import {
  formatPath,
  isInteger,
  isList,
  isNumber,
  isObject,
  isUnknown,
  normalForm,
  parseNumber,
  type ObjectValue,
  type Path,
  type Value,
} from "../values";
import type { Attributes, Scalar, Shape } from "./attribute";

export interface Conformed {
  /** Only what was declared: an absent attribute stays absent. */
  readonly config: ObjectValue;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Converts numerals in strings to integers, `"true"` to true, numbers to strings and so on; finds unknown, missing and computed
 * attributes and values that cannot be converted.
 */
export function conform(attributes: Attributes, raw: ObjectValue): Conformed {
  const diagnostics: Diagnostic[] = [];
  const config = conformGroup(attributes, raw, [], diagnostics);
  return { config, diagnostics };
}

function conformGroup(
  attributes: Attributes,
  raw: ObjectValue,
  path: Path,
  diagnostics: Diagnostic[],
): ObjectValue {
  let config: ObjectValue = raw;
  const set = (name: string, value: Value): void => {
    if (config === raw) config = { ...raw };
    (config as Record<string, Value>)[name] = value;
  };
  for (const name of Object.keys(raw)) {
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    const here = [...path, name];
    if (attribute === undefined) {
      diagnostics.push(
        ...new UnknownAttribute(name, Object.keys(attributes), { attribute: here }).toDiagnostics(),
      );
      continue;
    }
    const given = raw[name] ?? null;
    if (given === null) continue;
    if (attribute.presence === "computed") {
      diagnostics.push(
        ...new InvalidValue(`"${formatPath(here)}" is given by the service and cannot be set`, {
          attribute: here,
          advice: "Remove it.",
        }).toDiagnostics(),
      );
      continue;
    }
    const converted = conformValue(attribute.shape, given, here, diagnostics);
    if (converted !== given) set(name, converted);
  }
  for (const name of requiredNames(attributes)) {
    if ((raw[name] ?? null) !== null) continue;
    diagnostics.push(...new MissingAttribute(name, { attribute: [...path, name] }).toDiagnostics());
  }
  return config;
}

const required = new WeakMap<Attributes, readonly string[]>();

function requiredNames(attributes: Attributes): readonly string[] {
  let names = required.get(attributes);
  if (names === undefined) {
    names = Object.keys(attributes).filter((name) => attributes[name]?.presence === "required");
    required.set(attributes, names);
  }
  return names;
}

function conformValue(shape: Shape, value: Value, path: Path, diagnostics: Diagnostic[]): Value {
  if (isUnknown(value) || value === null) return value;
  const refuse = (expected: string): Value => {
    diagnostics.push(
      ...new InvalidValue(`must be ${expected}, not ${nameOf(value)}`, { attribute: path }).toDiagnostics(),
    );
    return value;
  };
  switch (shape.kind) {
    case "string":
    case "integer":
    case "bool": {
      const converted = convertScalar(shape.kind, value);
      return converted === undefined ? refuse(WORDS[shape.kind]) : converted;
    }
    case "list":
    case "set": {
      if (!isList(value)) return refuse("a list");
      const isSet = shape.kind === "set";
      const elements = mapped(value, (element, index) => {
        // The elements of a set have no place that could be named.
        const here = isSet ? path : [...path, index];
        if (element !== null) return conformValue({ kind: shape.of }, element, here, diagnostics);
        diagnostics.push(...new InvalidValue("must not hold null", { attribute: here }).toDiagnostics());
        return element;
      });
      return isSet ? distinct(elements) : elements;
    }
    case "map": {
      if (!isObject(value)) return refuse("a map");
      const result: Record<string, Value> = Object.create(null) as Record<string, Value>;
      for (const [key, element] of Object.entries(value)) {
        result[key] = conformValue({ kind: shape.of }, element, [...path, key], diagnostics);
      }
      return result;
    }
    case "group":
      return isObject(value) ? conformGroup(shape.attributes, value, path, diagnostics) : refuse("an object");
    case "groups":
      if (!isList(value)) return refuse("a list of objects");
      return mapped(value, (element, index) =>
        isObject(element)
          ? conformGroup(shape.attributes, element, [...path, index], diagnostics)
          : refuse("objects"),
      );
  }
}

/** Each known element once; what is not known yet may be anything. */
function distinct(elements: readonly Value[]): readonly Value[] {
  const seen = new Set<Value>();
  const kept = elements.filter((element) => isUnknown(element) || (!seen.has(element) && seen.add(element)));
  return kept.length === elements.length ? elements : kept;
}

/** Like `map`, but answers the same list where no element changes. */
function mapped(list: readonly Value[], convert: (element: Value, index: number) => Value): readonly Value[] {
  const result = list.map(convert);
  return result.every((element, index) => element === list[index]) ? list : result;
}

const WORDS: Readonly<Record<Scalar, string>> = {
  string: "a text",
  integer: "a whole number",
  bool: "true or false",
};

function convertScalar(kind: Scalar, value: Value): Value | undefined {
  switch (kind) {
    case "string":
      if (typeof value === "string") return normalForm(value);
      return typeof value === "boolean" || isNumber(value) ? String(value) : undefined;
    case "integer": {
      const number = typeof value === "string" ? parseNumber(value) : value;
      return isInteger(number) ? number : undefined;
    }
    case "bool":
      if (typeof value === "boolean") return value;
      return value === "true" ? true : value === "false" ? false : undefined;
  }
}

/** What was found, without showing it: it may be a secret. */
function nameOf(value: Value): string {
  if (isList(value)) return "a list";
  if (isObject(value)) return "an object";
  if (isInteger(value)) return "a number";
  if (isNumber(value)) return `the fraction ${String(value)}`;
  return value === true || value === false ? "true or false" : "this text";
}
