/** A table of parameters as JSON Schema, for `GET {base_url}/schema/`. */
import type { Parameter, Parameters, Shape } from "./parameter";

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

function shapeSchema(shape: Shape): JsonSchema {
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
