/** Describes one kind of object: its attributes, and the facts about the object as a whole. */
import { onceForEach, type Path } from "../lib/values";
import type { Attribute, Attributes } from "./attribute";

/** The attributes of a description with their places. */
export interface Located {
  readonly name: string;
  /** From the outermost attribute in. */
  readonly path: readonly string[];
  readonly attribute: Attribute;
  /** Those of a group. */
  readonly members: readonly Located[];
}

/** In the order of the description. */
export const locatedIn = onceForEach((attributes: Attributes) => locate(attributes, []));

function locate(attributes: Attributes, parent: readonly string[]): readonly Located[] {
  return Object.entries(attributes).map(([name, attribute]) => {
    const path = [...parent, name];
    const members = attribute.shape.kind === "group" ? locate(attribute.shape.attributes, path) : [];
    return { name, path, attribute, members };
  });
}

export interface Description {
  /** `account`, `user_profile` …: the Terraform type without its prefix. */
  readonly name: string;
  /** The noun for one of them: `account`, `user profile`. */
  readonly noun: string;
  /** Full type, `tenancy_account`. */
  readonly type: string;
  /** Markdown. */
  readonly description: string;
  readonly attributes: Attributes;
}

/** Describes a resource, a data source or an ephemeral resource. */
export function describe(name: string, description: string, attributes: Attributes): Description {
  return { name, noun: name.replaceAll("_", " "), type: `tenancy_${name}`, description, attributes };
}

/** Every attribute, groups before their members, in the order of the description. */
export const allAttributes = attributesThat(() => true);

/** The secrets that no state and no plan may hold. */
export const writeOnlyAttributes = attributesThat(({ attribute }) => attribute.writeOnly);

/** The attributes that no output may show, the write-only ones among them. */
export const sensitiveAttributes = attributesThat(({ attribute }) => attribute.sensitive);

/** The versions of write-only attributes: `password_wo_version`. */
export const versionAttributes = attributesThat(({ path }) => isVersionPath(path));

/** Filters the attributes of a description, groups before their members. The result is kept: the plan of each object needs it several times. */
function attributesThat(
  holds: (located: Located) => boolean,
): (attributes: Attributes) => readonly Located[] {
  return onceForEach((attributes) => flat(locatedIn(attributes)).filter(holds));
}

function flat(list: readonly Located[]): readonly Located[] {
  return list.flatMap((one) => [one, ...flat(one.members)]);
}

/** The attribute at a path of names; undefined if there is none. */
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

/** The path of the attribute that is, or holds, the value at a path: elements of lists, sets and maps have no attribute of their own. */
export function attributePath(attributes: Attributes, [first, ...rest]: Path): Path {
  if (first === undefined) return [];
  const shape = attributes[first]?.shape;
  return shape?.kind === "group" ? [first, ...attributePath(shape.attributes, rest)] : [first];
}

// Versions of write-only secrets: `password_wo` is sent when `password_wo_version` changes.

const ENDING = "_version";

/** True if an attribute is the version of a secret, by its name. */
export function isVersionName(name: string): boolean {
  return name.endsWith(`_wo${ENDING}`);
}

/** True if the attribute at a path is the version of a secret. */
export function isVersionPath(path: Path): boolean {
  return isVersionName(String(path.at(-1)));
}

/** `password_wo` → `password_wo_version`. */
export function versionPath(secret: Path): Path {
  return [...secret.slice(0, -1), `${secret.at(-1)}${ENDING}`];
}

/** `password_wo_version` → `password_wo`. */
export function secretPath(version: Path): Path {
  return [...version.slice(0, -1), String(version.at(-1)).slice(0, -ENDING.length)];
}
