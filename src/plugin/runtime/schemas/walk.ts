import { emptyObject, isList, isObject, type ObjectValue, type Path, type Value } from "../../../values";
import { type Attribute, type Attributes, type Block } from "./schema";

/** What to make of one attribute's value. Attributes inside a nested one are visited after it. */
export type Visit = (attribute: Attribute, value: Value, twin: Value | undefined, path: Path) => Value;

/**
 * Rebuilds an object with each attribute's value replaced by what `visit` makes of it, down through nested attributes and
 * blocks.
 * @param twin an object of the same shape that is walked along, such as the configuration beside the proposed state;
 * elements are paired by index or key.
 */
export function mapAttributes(
  block: Block,
  object: ObjectValue,
  twin: Value | undefined,
  visit: Visit,
): ObjectValue {
  return mapBlock(block, object, twin, [], visit);
}

function mapBlock(
  block: Block,
  object: ObjectValue,
  twin: Value | undefined,
  path: Path,
  visit: Visit,
): ObjectValue {
  const result = mapMembers(block.attributes ?? {}, object, twin, path, visit);
  for (const [name, nested] of Object.entries(block.blocks ?? {})) {
    if (!Object.hasOwn(object, name)) continue;
    result[name] = mapElements(
      object[name] as Value,
      member(twin, name),
      [...path, name],
      (element, other, place) => mapBlock(nested.block, element, other, place, visit),
      nested.nesting === "single" || nested.nesting === "group",
    );
  }
  return result;
}

function mapMembers(
  attributes: Attributes,
  object: ObjectValue,
  twin: Value | undefined,
  path: Path,
  visit: Visit,
): Record<string, Value> {
  const result = Object.assign(emptyObject(), object);
  for (const [name, attribute] of Object.entries(attributes)) {
    if (!Object.hasOwn(object, name)) continue;
    const place = [...path, name];
    const other = member(twin, name);
    const value = visit(attribute, object[name] as Value, other, place);
    result[name] =
      attribute.nested === undefined
        ? value
        : mapElements(
            value,
            other,
            place,
            (element, otherElement, elementPlace) =>
              mapMembers(attribute.nested.attributes, element, otherElement, elementPlace, visit),
            attribute.nested.nesting === "single",
          );
  }
  return result;
}

function mapElements(
  value: Value,
  twin: Value | undefined,
  path: Path,
  map: (element: ObjectValue, twin: Value | undefined, path: Path) => ObjectValue,
  single: boolean,
): Value {
  const mapElement = (element: Value, other: Value | undefined, place: Path): Value =>
    isObject(element) ? map(element, other, place) : element;
  if (single) return mapElement(value, twin, path);
  if (isList(value)) {
    return value.map((element, index) =>
      mapElement(element, isList(twin) ? twin[index] : undefined, [...path, index]),
    );
  }
  if (!isObject(value)) return value;
  const result = emptyObject();
  for (const [key, element] of Object.entries(value)) {
    result[key] = mapElement(element, member(twin, key), [...path, key]);
  }
  return result;
}

function member(object: Value | undefined, name: string): Value | undefined {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}
