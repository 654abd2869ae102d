/** Checks a body against a table, and finds every error at once (spec 7). */
import { type FieldError, invalid } from "../refusal";
import type { Format, Given, Parameter, Parameters, Shape } from "./parameter";

const FORMATS: Readonly<Record<Format, { readonly pattern: RegExp; readonly msg: string }>> = {
  // The empty string is an address that is not set: lengths start at 0 (spec 4.3, 4.4).
  email: { pattern: /^$|^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, msg: "must be an email address" },
  uuid: { pattern: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, msg: "must be a uuid" },
  hex: { pattern: /^[\da-f]*$/i, msg: "must be hexadecimal" },
};

/**
 * @returns the members that the table names.
 * @throws Refusal 400 with one element per field in error.
 */
export function check<P extends Parameters>(
  parameters: P,
  body: object,
  unknownParameters: "ignore" | "refuse",
): Given<P> {
  const errors: FieldError[] = [];
  const given = checkMembers(parameters, body, "", { errors, unknownParameters });
  if (errors.length > 0) throw invalid(errors);
  return given as Given<P>;
}

interface Checking {
  readonly errors: FieldError[];
  readonly unknownParameters: "ignore" | "refuse";
}

function checkMembers(parameters: Parameters, body: object, pointer: string, checking: Checking): object {
  const given: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const field = `${pointer}/${name}`;
    if (Object.hasOwn(body, name))
      given[name] = checkValue(parameter, (body as Record<string, unknown>)[name], field, checking);
    else if (parameter.isRequired) checking.errors.push({ type: "missing", field, msg: "must be present" });
  }
  if (checking.unknownParameters === "refuse")
    for (const name of Object.keys(body).filter((name) => !Object.hasOwn(parameters, name)))
      checking.errors.push({
        type: "unknown",
        field: `${pointer}/${escapePointer(name)}`,
        msg: "is not a parameter",
      });
  return given;
}

function checkValue(
  parameter: Parameter<unknown, boolean>,
  value: unknown,
  field: string,
  checking: Checking,
): unknown {
  if (value === null && parameter.isNullable) return null;
  const { shape } = parameter;
  if (shape.kind === "object" && typeof value === "object" && value !== null && !Array.isArray(value))
    return checkMembers(shape.members, value, field, checking);
  if (shape.kind === "strings" && Array.isArray(value)) {
    value.forEach((element, index) => {
      if (typeof element !== "string")
        checking.errors.push({ type: "type", field: `${field}/${index}`, msg: "must be a string" });
    });
    return value;
  }
  const fault = faultOf(shape, value);
  if (fault !== undefined) checking.errors.push({ ...fault, field });
  return value;
}

/** What is wrong with a value, if anything is. */
function faultOf(shape: Shape, value: unknown): Omit<FieldError, "field"> | undefined {
  switch (shape.kind) {
    case "boolean":
      return typeof value === "boolean" ? undefined : { type: "type", msg: "must be true or false" };
    case "integer":
      return typeof value === "bigint" || Number.isInteger(value)
        ? undefined
        : { type: "type", msg: "must be an integer" };
    case "choice":
      return shape.of.includes(value as string)
        ? undefined
        : { type: "choice", msg: `must be one of ${shape.of.join(", ")}` };
    case "strings":
      return { type: "type", msg: "must be a list" };
    case "object":
      return { type: "type", msg: "must be an object" };
    case "string": {
      if (typeof value !== "string") return { type: "type", msg: "must be a string" };
      const [min, max] = shape.length;
      const length = [...value].length;
      if (length < min || length > max)
        return {
          type: "length",
          msg:
            max === Infinity
              ? `must have ${min} or more characters`
              : `must have ${min} to ${max} characters`,
        };
      if (shape.format !== undefined && !FORMATS[shape.format].pattern.test(value))
        return { type: "format", msg: FORMATS[shape.format].msg };
      return undefined;
    }
  }
}

/** A name as one step of a JSON pointer (RFC 6901). */
function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
