/** The one type that several values can have together: the two sides of a conditional, the elements of a list. */
import type { MemberType, Type } from "./type";

/** Undefined where there is none. */
export function unify(types: readonly Type[]): Type | undefined {
  const [first, ...rest] = types.filter((type) => type !== "any");
  return rest.reduce<Type | undefined>((common, type) => common && unifyTwo(common, type), first ?? "any");
}

function unifyTwo(a: Type, b: Type): Type | undefined {
  if (a === b) return a;
  if (a === "any") return b;
  if (b === "any") return a;
  if (typeof a === "string" || typeof b === "string") return unifyPrimitives(a, b);
  if (a.kind === "tuple" && b.kind === "tuple" && a.elements.length === b.elements.length) {
    return unifyTuples(a.elements, b.elements);
  }
  if (isSequence(a) && isSequence(b)) {
    const element = unify([...elementsOf(a), ...elementsOf(b)]);
    const kind = a.kind === "set" || b.kind === "set" ? "set" : "list";
    return element && { kind, element };
  }
  if (a.kind === "object" && b.kind === "object" && sameNames(a.members, b.members)) {
    return unifyObjects(a.members, b.members);
  }
  if (isMapping(a) && isMapping(b)) {
    const element = unify([...elementsOf(a), ...elementsOf(b)]);
    return element && { kind: "map", element };
  }
  return undefined;
}

/** Numbers and truth values can both be text, and not each other. */
function unifyPrimitives(a: Type, b: Type): Type | undefined {
  if (typeof a !== "string" || typeof b !== "string") return undefined;
  return a === "string" || b === "string" ? "string" : undefined;
}

function unifyTuples(a: readonly Type[], b: readonly Type[]): Type | undefined {
  const elements = a.map((type, index) => unifyTwo(type, b[index] ?? "any"));
  return elements.every((type) => type !== undefined) ? { kind: "tuple", elements } : undefined;
}

function unifyObjects(
  a: ReadonlyMap<string, MemberType>,
  b: ReadonlyMap<string, MemberType>,
): Type | undefined {
  const members = new Map<string, MemberType>();
  for (const [name, member] of a) {
    const type = unifyTwo(member.type, b.get(name)?.type ?? "any");
    if (type === undefined) return undefined;
    members.set(name, { type });
  }
  return { kind: "object", members };
}

function sameNames(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return a.size === b.size && [...a.keys()].every((name) => b.has(name));
}

type Structure = Exclude<Type, string>;

function isSequence(type: Structure): boolean {
  return type.kind === "list" || type.kind === "set" || type.kind === "tuple";
}

function isMapping(type: Structure): boolean {
  return type.kind === "map" || type.kind === "object";
}

function elementsOf(type: Structure): readonly Type[] {
  if (type.kind === "tuple") return type.elements;
  if (type.kind === "object") return [...type.members.values()].map((member) => member.type);
  return [type.element];
}
