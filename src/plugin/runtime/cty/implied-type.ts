import { isList, isNumber, isObject, type Value } from "../../../values";
import { type Type } from "./type";

/** The type that a value has by itself, as an expression in Terraform's language would: lists are tuples, maps objects. */
export function impliedType(value: Value): Type {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isNumber(value)) return "number";
  if (isList(value)) return ["tuple", value.map(impliedType)];
  if (!isObject(value)) return "dynamic";
  const attributes = Object.create(null) as Record<string, Type>;
  for (const [name, member] of Object.entries(value)) attributes[name] = impliedType(member);
  return ["object", attributes];
}
