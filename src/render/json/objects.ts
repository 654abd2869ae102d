/** Writes one object as Terraform's JSON does: its address, and its state with every attribute of its description. */
import type { Change } from "../../plan";
import type { Attribute, Attributes } from "../../schema";
import {
  compareText,
  emptyObject,
  isList,
  isObject,
  isUnknown,
  type ObjectValue,
  stringifyJson,
  type Value,
} from "../../lib/values";
import { secrecyOf } from "../secrecy";
import { addressParts } from "./address";
import { jsonValue, type SensitiveMarks, sensitiveMarks, unknownMarks } from "./values";

export const PROVIDER_NAME = "registry.terraform.io/tenancy/tenancy";

/** Place of a resource, as each list of resources names it. */
export interface JsonPlace {
  readonly address: string;
  readonly module_address?: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly index?: string | number;
  readonly provider_name: string;
}

export function jsonPlace(address: string, providerName = PROVIDER_NAME): JsonPlace {
  const { module, mode, type, name, index } = addressParts(address);
  return {
    address,
    ...(module !== undefined && { module_address: module }),
    mode,
    type,
    name,
    ...(index !== undefined && { index }),
    provider_name: providerName,
  };
}

/** One side of a change; null if the object does not exist. */
export function jsonSide(
  { description, sensitive }: Pick<Change, "description" | "sensitive">,
  state: ObjectValue | null,
): {
  readonly values: ObjectValue | null;
  readonly unknown: SensitiveMarks;
  readonly sensitive: SensitiveMarks;
} {
  if (state === null) return { values: null, unknown: {}, sensitive: false };
  const secret = secrecyOf(description.attributes, sensitive);
  const whole = wholeState(description.attributes, state);
  return {
    values: jsonValue(whole, secret) as ObjectValue,
    unknown: unknownMarks(whole),
    sensitive: sensitiveMarks(whole, secret),
  };
}

// The state of an object with every attribute of its description, as Terraform writes it.

/** Attributes that the state lacks are null; the elements of sets are in order. */
function wholeState(attributes: Attributes, state: ObjectValue): ObjectValue {
  const whole = emptyObject();
  for (const [name, attribute] of Object.entries(attributes)) {
    whole[name] = wholeValue(attribute, state[name] ?? null);
  }
  return whole;
}

function wholeValue({ shape }: Attribute, value: Value): Value {
  if (shape.kind === "group") return isObject(value) ? wholeState(shape.attributes, value) : value;
  if (!isList(value)) return value;
  if (shape.kind === "set") return [...value].sort((a, b) => compareText(elementText(a), elementText(b)));
  if (shape.kind !== "groups") return value;
  return value.map((element) => (isObject(element) ? wholeState(shape.attributes, element) : element));
}

/** Unknown elements come last. */
function elementText(element: Value): string {
  return isUnknown(element) ? "\uffff" : stringifyJson(element);
}
