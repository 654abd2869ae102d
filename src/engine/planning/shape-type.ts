/** The types of the expression language that values of a description have. */
import type { Type } from "../../expressions";
import type { Attributes, Scalar, Shape } from "../../schema";

export function scalarType(scalar: Scalar): Type {
  return scalar === "integer" ? "number" : scalar;
}

export function objectType(attributes: Attributes): Type {
  const members = Object.entries(attributes).map(
    ([name, { shape }]) => [name, { type: shapeType(shape) }] as const,
  );
  return { kind: "object", members: new Map(members) };
}

function shapeType(shape: Shape): Type {
  switch (shape.kind) {
    case "string":
    case "integer":
    case "bool":
      return scalarType(shape.kind);
    case "list":
    case "set":
    case "map":
      return { kind: shape.kind, element: scalarType(shape.of) };
    case "group":
      return objectType(shape.attributes);
    case "groups":
      return { kind: "list", element: objectType(shape.attributes) };
  }
}
