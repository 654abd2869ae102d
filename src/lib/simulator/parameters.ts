/** Parameters of calls: the words in which their tables are written, bodies checked against a table, and a table as JSON Schema. */
import { type FieldError, invalid } from "./refusal";

/** The form of a parameter's value. Lengths are in characters. */
export type ParameterShape =
  | { readonly kind: "string"; readonly length: readonly [number, number]; readonly format?: Format }
  | { readonly kind: "choice"; readonly of: readonly string[] }
  | { readonly kind: "integer" }
  | { readonly kind: "boolean" }
  | { readonly kind: "strings" }
  | { readonly kind: "object"; readonly members: Parameters };

export type Format = "email" | "uuid" | "hex";

/** Parameters by name. */
export type Parameters = Readonly<Record<string, Parameter<unknown, boolean>>>;

/** One line of a table; `T` is the type of a valid value. */
export class Parameter<T, Required extends boolean = false> {
  /** For the compiler alone: the type of a valid value. */
  declare readonly value: T;
  declare readonly required: Required;

  constructor(
    readonly shape: ParameterShape,
    readonly isRequired = false,
    readonly isNullable = false,
    readonly isHidden = false,
  ) {}

  mandatory(): Parameter<T, true> {
    return new Parameter<T, true>(this.shape, true, this.isNullable, this.isHidden);
  }

  nullable(): Parameter<T | null, Required> {
    return new Parameter<T | null, Required>(this.shape, this.isRequired, true, this.isHidden);
  }

  /** No answer shows it. */
  hidden(): Parameter<T, Required> {
    return new Parameter<T, Required>(this.shape, this.isRequired, this.isNullable, true);
  }
}

/** A body that was checked against a table: the members that the table names. */
export type Given<P extends Parameters> = {
  readonly [K in keyof P as P[K]["required"] extends true ? K : never]: P[K]["value"];
} & {
  readonly [K in keyof P as P[K]["required"] extends true ? never : K]?: P[K]["value"];
};

/** A record's members of these parameters: unlike in a body, all of them are there. */
export type Stored<P extends Parameters> = { readonly [K in keyof P]: Complete<P[K]["value"]> };

type Complete<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]-?: Complete<T[K]> }
    : T;

export function text(min = 0, max = Infinity): Parameter<string> {
  return new Parameter({ kind: "string", length: [min, max] });
}

export function email(max: number): Parameter<string> {
  return new Parameter({ kind: "string", length: [0, max], format: "email" });
}

export function uuid(): Parameter<string> {
  return new Parameter({ kind: "string", length: [0, Infinity], format: "uuid" });
}

export function hex(): Parameter<string> {
  return new Parameter({ kind: "string", length: [1, Infinity], format: "hex" });
}

export function oneOf<const T extends string>(...choices: readonly T[]): Parameter<T> {
  return new Parameter({ kind: "choice", of: choices });
}

/** A `bigint` where a double could not hold it. */
export function integer(): Parameter<number | bigint> {
  return new Parameter({ kind: "integer" });
}

export function boolean(): Parameter<boolean> {
  return new Parameter({ kind: "boolean" });
}

export function strings(): Parameter<readonly string[]> {
  return new Parameter({ kind: "strings" });
}

export function object<P extends Parameters>(members: P): Parameter<Given<P>> {
  return new Parameter({ kind: "object", members });
}

/** A record's members of these parameters where no call has given them. */
export function emptyValues<P extends Parameters>(parameters: P): Stored<P> {
  const values = Object.entries(parameters).map(([name, { shape, isNullable }]) => [
    name,
    isNullable ? null : emptyValue(shape),
  ]);
  return Object.fromEntries(values) as Stored<P>;
}

function emptyValue(shape: ParameterShape): unknown {
  switch (shape.kind) {
    case "boolean":
      return false;
    case "integer":
      return 0;
    case "choice":
      return shape.of[0];
    case "strings":
      return [];
    case "object":
      return emptyValues(shape.members);
    case "string":
      return "";
  }
}

/** The parameters that answers show. */
export function withoutHidden(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, { isHidden }]) => !isHidden));
}

// Bodies are checked against a table, and every error is found at once (spec 7).

const FORMAT_PATTERNS: Readonly<Record<Format, { readonly pattern: RegExp; readonly msg: string }>> = {
  // The empty string is an address that is not set: lengths start at 0 (spec 4.3, 4.4).
  email: { pattern: /^$|^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, msg: "must be an email address" },
  uuid: { pattern: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, msg: "must be a uuid" },
  hex: { pattern: /^[\da-f]*$/i, msg: "must be hexadecimal" },
};

/**
 * @returns the members that the table names.
 * @throws Refusal 400 with one element per field in error.
 */
export function checkParameters<P extends Parameters>(
  parameters: P,
  body: object,
  unknownParameters: "ignore" | "refuse",
): Given<P> {
  const errors: FieldError[] = [];
  const checkedBody = checkMembers(parameters, body, "", { errors, unknownParameters });
  if (errors.length > 0) throw invalid(errors);
  return checkedBody as Given<P>;
}

interface Checking {
  readonly errors: FieldError[];
  readonly unknownParameters: "ignore" | "refuse";
}

function checkMembers(parameters: Parameters, body: object, pointer: string, checking: Checking): object {
  const checkedMembers: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const field = `${pointer}/${name}`;
    if (Object.hasOwn(body, name))
      checkedMembers[name] = checkValue(parameter, (body as Record<string, unknown>)[name], field, checking);
    else if (parameter.isRequired) checking.errors.push({ type: "missing", field, msg: "must be present" });
  }
  if (checking.unknownParameters === "refuse")
    for (const name of Object.keys(body).filter((name) => !Object.hasOwn(parameters, name)))
      checking.errors.push({
        type: "unknown",
        field: `${pointer}/${escapePointer(name)}`,
        msg: "is not a parameter",
      });
  return checkedMembers;
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

/** The fault of a value; undefined if there is none. */
function faultOf(shape: ParameterShape, value: unknown): Omit<FieldError, "field"> | undefined {
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
      if (shape.format !== undefined && !FORMAT_PATTERNS[shape.format].pattern.test(value))
        return { type: "format", msg: FORMAT_PATTERNS[shape.format].msg };
      return undefined;
    }
  }
}

/** A name as one step of a JSON pointer (RFC 6901). */
function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

// A table as JSON Schema, for `GET {base_url}/schema/`.

interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export function objectSchema(parameters: Parameters): JsonSchema {
  const required = Object.keys(parameters).filter((name) => parameters[name]?.isRequired);
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(parameters).map(([name, parameter]) => [name, valueSchema(parameter)]),
    ),
    ...(required.length > 0 && { required }),
  };
}

function valueSchema({ shape, isNullable }: Parameter<unknown, boolean>): JsonSchema {
  const schema = shapeSchema(shape);
  return isNullable ? { ...schema, type: [schema["type"], "null"] } : schema;
}

function shapeSchema(shape: ParameterShape): JsonSchema {
  switch (shape.kind) {
    case "boolean":
    case "integer":
      return { type: shape.kind };
    case "choice":
      return { type: "string", enum: shape.of };
    case "strings":
      return { type: "array", items: { type: "string" } };
    case "object":
      return objectSchema(shape.members);
    case "string":
      return {
        type: "string",
        ...(shape.length[0] > 0 && { minLength: shape.length[0] }),
        ...(shape.length[1] < Infinity && { maxLength: shape.length[1] }),
        ...(shape.format === "hex" && { pattern: "^[0-9A-Fa-f]*$" }),
        ...(shape.format !== undefined && shape.format !== "hex" && { format: shape.format }),
      };
  }
}
