/** The description of one kind of object: its attributes and what is known of it as a whole. */
import type { Attribute, Attributes } from "./attribute";
import { formatPath, type Path } from "../values";

export interface Description {
  /** `account`, `user_profile` …: the Terraform type without its prefix. */
  readonly name: string;
  /** Full type, `tenancy_account`. */
  readonly type: string;
  /** Markdown. */
  readonly description: string;
  readonly attributes: Attributes;
}

/** Describes a resource, a data source or an ephemeral resource. */
export function describe(name: string, description: string, attributes: Attributes): Description {
  return { name, type: `tenancy_${name}`, description, attributes };
}

/** An attribute and where it stands. */
export interface Located {
  readonly path: readonly string[];
  readonly attribute: Attribute;
}

/** Every attribute, groups before their members, in the order of the description. */
export function allAttributes(attributes: Attributes, parent: readonly string[] = []): readonly Located[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const path = [...parent, name];
    const here = { path, attribute };
    return attribute.shape.kind === "group"
      ? [here, ...allAttributes(attribute.shape.attributes, path)]
      : [here];
  });
}

/** The attribute at a path of names; undefined where there is none. */
export function attributeAt(attributes: Attributes, path: Path): Attribute | undefined {
  const [first, ...rest] = path;
  if (typeof first !== "string" || !Object.hasOwn(attributes, first)) return undefined;
  const attribute = attributes[first];
  if (attribute === undefined || rest.length === 0) return attribute;
  const { shape } = attribute;
  if (shape.kind === "group") return attributeAt(shape.attributes, rest);
  if (shape.kind === "groups")
    return rest.length === 1 ? attribute : attributeAt(shape.attributes, rest.slice(1));
  return attribute;
}

/** The paths that `unset` may name. */
export function nullablePaths(attributes: Attributes): readonly string[] {
  return allAttributes(attributes)
    .filter(({ attribute }) => attribute.nullable)
    .map(({ path }) => formatPath(path));
}
