/**
 * What the last apply held declared, which Terraform itself does not remember: an attribute that is declared no more keeps its value, and a
 * plan has to say so. Private state remembers it.
 */
import { asWarning, IgnoredRight, NoLongerDeclared, type Diagnostic } from "../../../errors";
import type { Outcome, Resource } from "../../../resources";
import { grantedIn } from "../../../resources/permissions";
import { attributeAt, type Attribute, type Attributes } from "../../../schema";
import {
  equal,
  formatPath,
  isList,
  isObject,
  isUnknown,
  parsePath,
  plainText,
  stringifyJson,
  valueAt,
  type ObjectValue,
  type Value,
} from "../../../values";
import type { Notes } from "../notes";
import type { Bound } from ".";

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
export function grantedOf(attributes: Attributes, { records }: Outcome): readonly string[] | undefined {
  return records === undefined || !("permissions" in attributes) ? undefined : grantedIn(attributes, records);
}

/** The state from which a refresh takes what answers do not tell: of `permissions`, the rights that the last apply named. */
export function withDeclaredRights(prior: ObjectValue, { rights }: Notes): ObjectValue {
  const { permissions } = prior;
  if (rights === undefined || !isObject(permissions)) return prior;
  const named = rights.map((right): [string, Value] => [right, permissions[right] ?? false]);
  return { ...prior, permissions: Object.fromEntries(named) };
}

function declaredPaths(attributes: Attributes, config: ObjectValue): readonly string[] {
  return Object.entries(attributes).flatMap(([name, { shape, presence }]) => {
    const value = config[name] ?? null;
    if (presence !== "managed" || value === null) return [];
    if (shape.kind !== "group" || !isObject(value)) return [name];
    return [name, ...declaredPaths(shape.attributes, value).map((inner) => `${name}.${inner}`)];
  });
}

/** Warnings for the attributes whose values stay although they are declared no more. */
export function noLongerDeclared(
  { description: { attributes } }: Resource,
  config: ObjectValue,
  prior: ObjectValue,
  { declared = [] }: Notes,
): readonly Diagnostic[] {
  const unset = config["unset"] ?? null;
  const unsets = (name: string): boolean =>
    isList(unset) && (unset.includes(name) || (unset.includes("*") && attributes[name]?.nullable === true));
  const gone = declared.filter((path) => {
    const [name = ""] = path.split(".");
    // A plan says at all times that permissions are not declared.
    return name !== "permissions" && !unsets(name) && valueAt(config, parsePath(path)) === null;
  });
  return gone.flatMap((text) => {
    const path = parsePath(text);
    const attribute = attributeAt(attributes, path);
    const value = valueAt(prior, path);
    const isTold = gone.some((other) => text.startsWith(`${other}.`));
    if (attribute === undefined || isTold || !attribute.shown || isUnknown(value) || isEmpty(value))
      return [];
    return asWarning(
      new NoLongerDeclared(
        textOf(prior["login"]) ?? textOf(prior["name"]) ?? "",
        path,
        attribute.sensitive ? undefined : plainText(stringifyJson(value), 120),
        takenAwayBy(formatPath(path), attribute),
      ),
    );
  });
}

function textOf(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isEmpty(value: Value): boolean {
  return value === null || (isList(value) && value.length === 0);
}

function takenAwayBy(name: string, { nullable, shape }: Attribute): string {
  if (nullable) return `To take the value away, add "${name}" to \`unset\`.`;
  return shape.kind === "list" || shape.kind === "set"
    ? `To empty it, declare \`${name} = []\`.`
    : "Declare the value that it is to have.";
}

/**
 * Core plans with a configuration in which \`ignore_changes\` has put prior values. Validation sees it as it is written, right before each
 * plan, in the same process: so validation notes which objects declare permissions.
 */
export class Written {
  readonly #permissions = new Map<string, Set<boolean>>();

  /** Another run begins. */
  clear(): void {
    this.#permissions.clear();
  }

  note({ resource }: Bound, raw: ObjectValue): void {
    if (!("permissions" in resource.description.attributes)) return;
    const key = identityOf(resource, raw);
    const noted = this.#permissions.get(key) ?? new Set();
    noted.add((raw["permissions"] ?? null) !== null);
    this.#permissions.set(key, noted);
  }

  /** Refuses permissions that only `ignore_changes` has put there: they would be exact. */
  findings({ resource }: Bound, config: ObjectValue, prior: ObjectValue | null): readonly Diagnostic[] {
    const { permissions = null } = config;
    const noted = this.#permissions.get(identityOf(resource, config));
    if (!isObject(permissions) || noted === undefined || noted.has(true)) return [];
    // The whole attribute is ignored: it is planned as it is, and nothing is sent.
    if (equal(permissions, prior?.["permissions"] ?? null)) return [];
    const [right = "permissions"] = Object.keys(permissions);
    return new IgnoredRight(right, { attribute: ["permissions"] }).toDiagnostics();
  }
}

/** What tells the declarations of a run apart: the attributes that make the object another one. */
function identityOf({ description: { type, attributes } }: Resource, config: ObjectValue): string {
  const values = Object.keys(attributes)
    .filter((name) => attributes[name]?.forcesReplacement)
    .map((name) => config[name] ?? null)
    .map((value) => (isUnknown(value) ? "?" : value));
  return stringifyJson([type, ...values]);
}
