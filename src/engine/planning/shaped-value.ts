/** What a description knows of a value, and the value does not tell: which lists are sets, and what an unknown object has for attributes. */
import { collectionOf, makeSet } from "../../expressions";
import type { Attribute, Attributes, Shape } from "../../schema";
import { isList, isObject, isUnknown, Unknown, UNKNOWN, type ObjectValue, type Value } from "../../values";
import { objectType, scalarType } from "./shape-type";

/** The value as expressions take it; the very same, where it says all by itself. */
export function shapedValue(value: Value, shape: Shape): Value {
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
      return shapedGroup(value, shape.attributes);
    case "groups": {
      const { attributes } = shape;
      if (!isList(value)) return value;
      return collectionOf(
        objectType(attributes),
        value.map((element) => shapedGroup(element, attributes)),
      );
    }
  }
}

/** What is unknown keeps its shape, so that a reference to nothing is found before anything is written. */
function shapedGroup(value: Value, attributes: Attributes): Value {
  if (isUnknown(value)) return new Unknown({ notNull: value.notNull, members: unknownMembers(attributes) });
  return isObject(value) ? shapedMembers(value, structured(attributes)) : value;
}

function shapedMembers(group: ObjectValue, members: readonly (readonly [string, Attribute])[]): ObjectValue {
  let copy: Record<string, Value> | undefined;
  for (const [name, { shape }] of members) {
    const value = group[name];
    if (value === undefined) continue;
    const shaped = shapedValue(value, shape);
    if (shaped !== value) (copy ??= { ...group })[name] = shaped;
  }
  return copy ?? group;
}

const STRUCTURED = new WeakMap<Attributes, readonly (readonly [string, Attribute])[]>();

/** The attributes that are no scalars: of a group of fifty rights none is. */
function structured(attributes: Attributes): readonly (readonly [string, Attribute])[] {
  let members = STRUCTURED.get(attributes);
  if (members === undefined) {
    members = Object.entries(attributes).filter(([, { shape }]) => "of" in shape || "attributes" in shape);
    STRUCTURED.set(attributes, members);
  }
  return members;
}

const MEMBERS = new WeakMap<Attributes, ReadonlyMap<string, Unknown>>();

function unknownMembers(attributes: Attributes): ReadonlyMap<string, Unknown> {
  const known = MEMBERS.get(attributes);
  if (known !== undefined) return known;
  const members = new Map(
    Object.entries(attributes).map(([name, { shape }]): [string, Unknown] => [
      name,
      shape.kind === "group" ? new Unknown({ members: unknownMembers(shape.attributes) }) : UNKNOWN,
    ]),
  );
  MEMBERS.set(attributes, members);
  return members;
}
