/**
 * Notes on an object that the provider keeps between Terraform's calls: in private state, which Terraform stores beside the state and never
 * shows, and, within one run, in memory.
 */
import { type Finding, ignoredRight, noLongerDeclared } from "../../problems";
import { grantedIn, type Outcome, type Resource } from "../../resources";
import {
  type Attribute as DescribedAttribute,
  attributeAt,
  type Attributes as DescribedAttributes,
} from "../../schema";
import {
  equal,
  isInteger,
  isList,
  isObject,
  isUnknown,
  type ObjectValue,
  parsePath,
  plainText,
  stringifyJson,
  textOf,
  type Value,
  valueAt,
} from "../../values";
import type { PrivateState } from "../runtime";

/** What is noted in an object's private state. */
export interface Notes {
  /** Sequence number of the record when it was last read or written. */
  readonly seq?: number | bigint | undefined;
  /** The object was imported, and nothing was written to it since. */
  readonly imported?: boolean | undefined;
  /**
   * When the last refresh was. Plan and apply judge by this alone what is old enough to go: a clock read twice would make
   * them disagree.
   */
  readonly notedAt?: Date | undefined;
  /** The attributes that were declared at the last apply, with the members of contacts: `email`, `primary_contact.phone`. */
  readonly declared?: readonly string[] | undefined;
  /** The rights that the `permissions` of the last apply named. */
  readonly rights?: readonly string[] | undefined;
  /** The rights that the service granted when it was last asked, with those that are not in the state. */
  readonly granted?: readonly string[] | undefined;
  /** Passed from the first plan call to the second one of a replacement: the object that would be replaced. */
  readonly replacedObject?: ObjectValue | undefined;
}

export function notesOf(privateState: PrivateState): Notes {
  const {
    seq,
    imported,
    noted_at: notedAt,
    declared,
    rights,
    granted,
    replaced_object: replacedObject,
  } = privateState;
  return {
    ...(isTexts(declared) && { declared }),
    ...(isTexts(rights) && { rights }),
    ...(isTexts(granted) && { granted }),
    ...(isInteger(seq) && { seq }),
    ...(imported === true && { imported }),
    ...(isInstant(notedAt) && { notedAt: new Date(notedAt) }),
    ...(isObject(replacedObject) && { replacedObject }),
  };
}

export function privateStateOf({
  seq,
  imported,
  notedAt,
  declared,
  rights,
  granted,
  replacedObject,
}: Notes): PrivateState {
  return {
    ...(declared !== undefined && { declared }),
    ...(rights !== undefined && { rights }),
    ...(granted !== undefined && { granted }),
    ...(seq !== undefined && { seq }),
    ...(imported === true && { imported }),
    ...(notedAt !== undefined && { noted_at: notedAt.toISOString() }),
    ...(replacedObject !== undefined && { replaced_object: replacedObject }),
  };
}

function isTexts(value: Value | undefined): value is readonly string[] {
  return isList(value ?? null) && (value as readonly Value[]).every((one) => typeof one === "string");
}

function isInstant(value: Value | undefined): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

// Attributes that were declared at the last apply. Terraform does not remember them: an attribute that is no longer declared keeps its
// value, and the plan has to say so.

/** What to note after a write. */
export function notesOnDeclared(
  { description: { attributes } }: Resource,
  config: ObjectValue,
  outcome: Outcome,
): Notes {
  const { permissions } = outcome.state;
  const areDeclared = (config["permissions"] ?? null) !== null;
  return {
    declared: declaredPaths(attributes, config),
    ...("permissions" in attributes && {
      rights: areDeclared && isObject(permissions) ? Object.keys(permissions) : [],
      granted: grantedOf(attributes, outcome),
    }),
  };
}

/** The rights that the service shows as granted; undefined where it was not asked. */
export function grantedOf(
  attributes: DescribedAttributes,
  { records }: Outcome,
): readonly string[] | undefined {
  return records === undefined || !("permissions" in attributes) ? undefined : grantedIn(attributes, records);
}

/** The state that a refresh reads from: its `permissions` hold the rights that the last apply named, which no answer tells. */
export function withDeclaredRights(prior: ObjectValue, { rights }: Notes): ObjectValue {
  const { permissions } = prior;
  if (rights === undefined || !isObject(permissions)) return prior;
  const named = rights.map((right): [string, Value] => [right, permissions[right] ?? false]);
  return { ...prior, permissions: Object.fromEntries(named) };
}

function declaredPaths(attributes: DescribedAttributes, config: ObjectValue): readonly string[] {
  return Object.entries(attributes).flatMap(([name, { shape, presence }]) => {
    const value = config[name] ?? null;
    if (presence !== "managed" || value === null) return [];
    if (shape.kind !== "group" || !isObject(value)) return [name];
    return [name, ...declaredPaths(shape.attributes, value).map((inner) => `${name}.${inner}`)];
  });
}

/** Warnings for attributes that keep their values although they are no longer declared. */
export function noLongerDeclaredIn(
  { description: { attributes } }: Resource,
  config: ObjectValue,
  prior: ObjectValue,
  { declared = [] }: Notes,
): readonly Finding[] {
  const unset = config["unset"] ?? null;
  const unsets = (name: string): boolean =>
    isList(unset) && (unset.includes(name) || (unset.includes("*") && attributes[name]?.nullable === true));
  const undeclared = declared.filter((path) => {
    const [name = ""] = path.split(".");
    // Every plan warns of undeclared permissions.
    return name !== "permissions" && !unsets(name) && valueAt(config, parsePath(path)) === null;
  });
  return undeclared.flatMap((text) => {
    const path = parsePath(text);
    const attribute = attributeAt(attributes, path);
    const value = valueAt(prior, path);
    const isCovered = undeclared.some((other) => text.startsWith(`${other}.`));
    if (attribute === undefined || isCovered || !attribute.shown || isUnknown(value) || isEmpty(value))
      return [];
    return [
      noLongerDeclared.at({
        who: textOf(prior["login"]) ?? textOf(prior["name"]) ?? "",
        path,
        value: attribute.sensitive ? undefined : plainText(stringifyJson(value), 120),
        takenAwayBy: takenAwayBy(attribute),
      }),
    ];
  });
}

function isEmpty(value: Value): boolean {
  return value === null || (isList(value) && value.length === 0);
}

function takenAwayBy({ nullable, shape }: DescribedAttribute) {
  if (nullable) return "unset";
  return shape.kind === "list" || shape.kind === "set" ? "emptying" : "another value";
}

// The configuration as it is written.

/**
 * Core plans with a configuration in which `ignore_changes` has put prior values. Validation sees it as it is written, right before each
 * plan, in the same process: so validation notes which objects declare permissions.
 */
export class WrittenPermissions {
  readonly #permissions = new Map<string, Set<boolean>>();

  /** Forgets all notes, because another run begins. */
  clear(): void {
    this.#permissions.clear();
  }

  note(resource: Resource, raw: ObjectValue): void {
    if (!("permissions" in resource.description.attributes)) return;
    const key = identityOf(resource, raw);
    const noted = this.#permissions.get(key) ?? new Set();
    noted.add((raw["permissions"] ?? null) !== null);
    this.#permissions.set(key, noted);
  }

  /** Refuses permissions that only `ignore_changes` has put there: they would be exact. */
  findings(resource: Resource, config: ObjectValue, prior: ObjectValue | null): readonly Finding[] {
    const { permissions = null } = config;
    const noted = this.#permissions.get(identityOf(resource, config));
    if (!isObject(permissions) || noted === undefined || noted.has(true)) return [];
    // The whole attribute is ignored: its prior value is planned, and nothing is sent.
    if (equal(permissions, prior?.["permissions"] ?? null)) return [];
    const [right = "permissions"] = Object.keys(permissions);
    return [ignoredRight.at(right, { attribute: ["permissions"] })];
  }
}

/** The attributes that identify a declaration within a run: a change of them makes another object. */
function identityOf({ description: { type, attributes } }: Resource, config: ObjectValue): string {
  const values = Object.keys(attributes)
    .filter((name) => attributes[name]?.forcesReplacement)
    .map((name) => config[name] ?? null)
    .map((value) => (isUnknown(value) ? "?" : value));
  return stringifyJson([type, ...values]);
}
