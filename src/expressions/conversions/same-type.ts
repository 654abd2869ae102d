/** Whether two types are one and the same; whether members may be left out does not count. */
import type { MemberType, Type } from "./type";

export function isSameType(a: Type, b: Type): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  switch (a.kind) {
    case "list":
    case "set":
    case "map":
      return b.kind === a.kind && isSameType(a.element, b.element);
    case "tuple":
      return b.kind === "tuple" && haveSameTypes(a.elements, b.elements);
    case "object":
      return b.kind === "object" && haveSameMembers(a.members, b.members);
  }
}

function haveSameTypes(a: readonly Type[], b: readonly Type[]): boolean {
  return a.length === b.length && a.every((type, index) => isSameType(type, b[index] ?? "any"));
}

function haveSameMembers(a: ReadonlyMap<string, MemberType>, b: ReadonlyMap<string, MemberType>): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, { type }]) => {
    const other = b.get(name);
    return other !== undefined && isSameType(type, other.type);
  });
}
