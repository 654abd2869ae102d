/**
 * The types of Terraform's language that the values of a description have. The one place that knows them: the provider's schema and the
 * expressions that refer to an object take them from here.
 */
import {
  collectionOf,
  isList,
  isObject,
  isUnknown,
  makeSet,
  type ObjectValue,
  onceForEach,
  type Primitive,
  type Type,
  UNKNOWN,
  Unknown,
  type Value,
} from "../lib/values";
import type { Attribute, Attributes, AttributeShape, Scalar } from "./attribute";

/** Terraform has no type for whole numbers. */
export function scalarType(scalar: Scalar): Primitive {
  return scalar === "integer" ? "number" : scalar;
}

function typeOfShape(shape: AttributeShape): Type {
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

const objectType = onceForEach((attributes: Attributes): Type => {
  const members = Object.entries(attributes).map(
    ([name, { shape }]) => [name, { type: typeOfShape(shape) }] as const,
  );
  return { kind: "object", members: new Map(members) };
});

/**
 * Gives a value of the shape the type that expressions take it to have: a set is sorted, lists and maps know the type of their elements. A
 * value that needs no addition is returned as it is, as most are: unlike \`convert\` this makes no copy.
 */
export function typedValue(value: Value, shape: AttributeShape): Value {
  switch (shape.kind) {
    case "string":
    case "integer":
    case "bool":
      return value;
    case "list":
      return isList(value) ? collectionOf(scalarType(shape.of), [...value]) : value;
    case "set":
      return isList(value) ? makeSet(scalarType(shape.of), value) : value;
    case "map":
      return isObject(value) ? collectionOf(scalarType(shape.of), { ...value }) : value;
    case "group":
      return typedGroup(value, shape.attributes);
    case "groups": {
      const { attributes } = shape;
      if (!isList(value)) return value;
      return collectionOf(
        objectType(attributes),
        value.map((element) => typedGroup(element, attributes)),
      );
    }
  }
}

/** Unknown values know their members, so that a reference to a missing attribute is found before anything is written. */
function typedGroup(value: Value, attributes: Attributes): Value {
  if (isUnknown(value)) return new Unknown({ notNull: value.notNull, members: unknownMembers(attributes) });
  if (!isObject(value)) return value;
  let copy: Record<string, Value> | undefined;
  for (const [name, { shape }] of structured(attributes)) {
    const member = value[name];
    if (member === undefined) continue;
    const typedMember = typedValue(member, shape);
    if (typedMember !== member) (copy ??= { ...value })[name] = typedMember;
  }
  return (copy as ObjectValue | undefined) ?? value;
}

/** The attributes that are not scalars. A group of fifty rights has none. */
const structured = onceForEach((attributes: Attributes): readonly (readonly [string, Attribute])[] =>
  Object.entries(attributes).filter(([, { shape }]) => "of" in shape || "attributes" in shape),
);

const unknownMembers = onceForEach(
  (attributes: Attributes): ReadonlyMap<string, Unknown> =>
    new Map(
      Object.entries(attributes).map(([name, { shape }]): [string, Unknown] => [
        name,
        shape.kind === "group" ? new Unknown({ members: unknownMembers(shape.attributes) }) : UNKNOWN,
      ]),
    ),
);
