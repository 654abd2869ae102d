import type { Type } from "./type";

/** A type as Terraform writes it in JSON. */
export type JsonType =
  | "string"
  | "number"
  | "bool"
  | "dynamic"
  | readonly ["list" | "set" | "map", JsonType]
  | readonly ["tuple", readonly JsonType[]]
  | readonly ["object", Readonly<Record<string, JsonType>>];

export function jsonType(type: Type): JsonType {
  if (typeof type === "string") return type === "any" ? "dynamic" : type;
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return [type.kind, jsonType(type.element)];
    case "tuple":
      return ["tuple", type.elements.map(jsonType)];
    case "object": {
      const members = Object.create(null) as Record<string, JsonType>;
      for (const [name, member] of type.members) members[name] = jsonType(member.type);
      return ["object", members];
    }
  }
}
