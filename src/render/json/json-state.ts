/** The state of an object with every attribute that its description has, as Terraform writes it. */
import type { Attribute, Attributes } from "../../schema";
import {
  emptyObject,
  isList,
  isObject,
  isUnknown,
  stringifyJson,
  type ObjectValue,
  type Value,
} from "../../values";

/** Attributes that the state lacks are null; the elements of sets are in order. */
export function wholeState(attributes: Attributes, state: ObjectValue): ObjectValue {
  const whole = emptyObject();
  for (const [name, attribute] of Object.entries(attributes)) {
    whole[name] = wholeValue(attribute, state[name] ?? null);
  }
  return whole;
}

function wholeValue({ shape }: Attribute, value: Value): Value {
  if (shape.kind === "group") return isObject(value) ? wholeState(shape.attributes, value) : value;
  if (!isList(value)) return value;
  if (shape.kind === "set") return [...value].sort(byText);
  if (shape.kind !== "groups") return value;
  return value.map((element) => (isObject(element) ? wholeState(shape.attributes, element) : element));
}

function byText(a: Value, b: Value): number {
  const [left, right] = [textOf(a), textOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Unknown elements come last. */
function textOf(element: Value): string {
  return isUnknown(element) ? "\uffff" : stringifyJson(element);
}
