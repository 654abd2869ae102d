/** The attributes of a description with the places where they stand. */
import type { Attribute, Attributes } from "./attribute";

export interface Located {
  readonly name: string;
  /** From the outermost attribute in. */
  readonly path: readonly string[];
  readonly attribute: Attribute;
  /** Those of a group. */
  readonly members: readonly Located[];
  /** Whether it is a group of which an absent member means something. */
  readonly isManagedWhole: boolean;
  /** Whether what an answer shows under its name is the value itself, if it is anything of its kind. */
  readonly isPlain: boolean;
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
    const isManagedWhole = members.some(
      (member) => member.isManagedWhole || member.attribute.whenAbsent !== undefined,
    );
    return { name, path, attribute, members, isManagedWhole, isPlain: isPlain(attribute) };
  });
}

function isPlain({ shape: { kind }, shown, masked, readPath, readPart }: Attribute): boolean {
  const isScalar = kind === "string" || kind === "integer" || kind === "bool";
  return isScalar && shown && !masked && readPath === undefined && readPart === undefined;
}
