/** The attributes of a description with the places where they stand. */
import type { Attribute, Attributes } from "./attribute";

export interface Located {
  readonly name: string;
  /** From the outermost attribute in. */
  readonly path: readonly string[];
  readonly attribute: Attribute;
  /** Those of a group. */
  readonly members: readonly Located[];
}

const lists = new WeakMap<Attributes, readonly Located[]>();

/** In the order of the description. Listed once for each: of a large stack, every object asks, again and again. */
export function locatedIn(attributes: Attributes): readonly Located[] {
  let list = lists.get(attributes);
  if (list === undefined) {
    list = located(attributes, []);
    lists.set(attributes, list);
  }
  return list;
}

function located(attributes: Attributes, parent: readonly string[]): readonly Located[] {
  return Object.entries(attributes).map(([name, attribute]) => {
    const path = [...parent, name];
    const members = attribute.shape.kind === "group" ? located(attribute.shape.attributes, path) : [];
    return { name, path, attribute, members };
  });
}
