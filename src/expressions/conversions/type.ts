/** Types of Terraform's language, as variables declare them and as conversions aim at them. */
import { isNumber, isUnknown, type Value } from "../../values";
import { isMarkedList, Mark, type Marked } from "../marks";
import { elementTypeOf } from "../element-type";
import { ValueSet } from "../set";

export type Primitive = "string" | "number" | "bool";

export type Type =
  | Primitive
  /** Whatever the value is. */
  | "any"
  | { readonly kind: "list" | "set" | "map"; readonly element: Type }
  | { readonly kind: "tuple"; readonly elements: readonly Type[] }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, MemberType> };

export interface MemberType {
  readonly type: Type;
  /** Whether the member may be left out; it is null then, or the default. */
  readonly optional?: boolean;
  readonly default?: Value;
}

/** The type of a value as it stands; `any` where only the apply will tell, and for null. */
export function typeOf(value: Marked): Type {
  if (value instanceof Mark) return typeOf(value.value);
  if (value === null || isUnknown(value)) return "any";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isNumber(value)) return "number";
  const element = elementTypeOf(value);
  if (isMarkedList(value)) {
    if (element === undefined) return { kind: "tuple", elements: value.map(typeOf) };
    return { kind: value instanceof ValueSet ? "set" : "list", element };
  }
  if (element !== undefined) return { kind: "map", element };
  const members = Object.entries(value).map(([name, member]) => [name, { type: typeOf(member) }] as const);
  return { kind: "object", members: new Map(members) };
}

/** A word for messages: `number`, `list`, `object`. */
export function describeType(type: Type): string {
  if (typeof type === "string") return type === "any" ? "value" : type;
  return type.kind === "tuple" ? "list" : type.kind;
}
