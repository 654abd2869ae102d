/** What is kept of a JSON value that holds templates: the value itself, and where in it they stand. */
import { setMember, type ObjectValue, type Value } from "../../values";
import type { Expression } from "../node";

/** A part that holds templates. */
export type Part =
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "list"; readonly json: readonly Value[]; readonly dynamic: ReadonlyMap<number, Part> }
  /** With templates in values alone. */
  | { readonly kind: "object"; readonly json: ObjectValue; readonly dynamic: ReadonlyMap<string, Part> }
  | { readonly kind: "keyed"; readonly json: ObjectValue; readonly dynamic: ReadonlyMap<string, Member> };

/** A key may be a template too; few are. */
export interface Member {
  readonly key: Expression | undefined;
  readonly value: Part | undefined;
}

/** The members of an object that hold no template; undefined where the part is something else, or a key is a template. */
export function fixedMembers(part: Part): ObjectValue | undefined {
  if (part.kind !== "object") return undefined;
  const fixed: Record<string, Value> = {};
  for (const name in part.json) if (!part.dynamic.has(name)) setMember(fixed, name, part.json[name] ?? null);
  return fixed;
}

/** All templates of a part. */
export function expressionsIn(part: Part): Expression[] {
  switch (part.kind) {
    case "expression":
      return [part.expression];
    case "list":
    case "object":
      return [...part.dynamic.values()].flatMap(expressionsIn);
    case "keyed":
      return [...part.dynamic.values()].flatMap(({ key, value }) => [
        ...(key ? [key] : []),
        ...(value ? expressionsIn(value) : []),
      ]);
  }
}
