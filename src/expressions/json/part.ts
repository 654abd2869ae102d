/** What is kept of a JSON value that holds templates: the value itself, and where in it they stand. */
import type { ObjectValue, Value } from "../../values";
import type { Expression } from "../node";

/** A part that holds templates. */
export type Part =
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "list"; readonly json: readonly Value[]; readonly dynamic: ReadonlyMap<number, Part> }
  | { readonly kind: "object"; readonly json: ObjectValue; readonly dynamic: ReadonlyMap<string, Member> };

/** A key may be a template too; few are. */
export interface Member {
  readonly key: Expression | undefined;
  readonly value: Part | undefined;
}

/** All templates of a part. */
export function expressionsIn(part: Part): Expression[] {
  switch (part.kind) {
    case "expression":
      return [part.expression];
    case "list":
      return [...part.dynamic.values()].flatMap(expressionsIn);
    case "object":
      return [...part.dynamic.values()].flatMap(({ key, value }) => [
        ...(key ? [key] : []),
        ...(value ? expressionsIn(value) : []),
      ]);
  }
}
