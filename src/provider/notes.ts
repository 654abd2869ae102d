/**
 * Notes on an object that the provider keeps between Terraform's calls: in private state, which Terraform stores beside the state and never
 * shows, and, within one run, in memory.
 */
import { type Finding, ignoredRight, noLongerDeclared, passwordAppeared } from "../problems";
import { grantedIn, type Outcome, type Resource } from "../resources";
import {
  type Attribute as DescribedAttribute,
  attributeAt,
  type Attributes as DescribedAttributes,
} from "../schema";
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
} from "../lib/values";
import type { PrivateState } from "../lib/plugin-runtime";

/** What is noted in an object's private state. */
export interface Notes {
  /** Sequence number of the record when it was last read or written. */
  readonly seq?: number | bigint | undefined;
  /** The same of its second record, an account's primary user profile. */
  readonly partSeq?: number | bigint | undefined;
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
  /** Whether the user had a password when it was last read or written. */
  readonly passwordSet?: boolean | undefined;
  /** The last refresh has found a password that the last apply did not leave. */
  readonly passwordAppeared?: boolean | undefined;
  /** Passed from the first plan call to the second one of a replacement: the object that would be replaced. */
  readonly replacedObject?: ObjectValue | undefined;
}

export function notesOf(privateState: PrivateState): Notes {
  const {
    seq,
    part_seq: partSeq,
    imported,
    noted_at: notedAt,
    declared,
    rights,
    granted,
    password_set: passwordSet,
    password_appeared: passwordAppeared,
    replaced_object: replacedObject,
  } = privateState;
  return {
    ...(isTexts(declared) && { declared }),
    ...(isTexts(rights) && { rights }),
    ...(isTexts(granted) && { granted }),
    ...(isInteger(seq) && { seq }),
    ...(isInteger(partSeq) && { partSeq }),
    ...(imported === true && { imported }),
    ...(typeof passwordSet === "boolean" && { passwordSet }),
    ...(passwordAppeared === true && { passwordAppeared }),
    ...(isInstant(notedAt) && { notedAt: new Date(notedAt) }),
    ...(isObject(replacedObject) && { replacedObject }),
  };
}

export function privateStateOf({
  seq,
  partSeq,
  imported,
  notedAt,
  declared,
  rights,
  granted,
  passwordSet,
  passwordAppeared,
  replacedObject,
}: Notes): PrivateState {
  return {
    ...(declared !== undefined && { declared }),
    ...(rights !== undefined && { rights }),
    ...(granted !== undefined && { granted }),
    ...(seq !== undefined && { seq }),
    ...(partSeq !== undefined && { part_seq: partSeq }),
    ...(imported === true && { imported }),
    ...(passwordSet !== undefined && { password_set: passwordSet }),
    ...(passwordAppeared === true && { password_appeared: passwordAppeared }),
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

/** What to note of a user's password after a write. */
export function notesOnPassword(outcome: Outcome): Notes {
  return { passwordSet: hasPassword(outcome) };
}

/**
 * What to note of a user's password after a refresh. The next apply keeps the note that there is one, so that later refreshes find nothing
 * new.
 */
export function notesOnRefreshedPassword(prior: ObjectValue, outcome: Outcome, before: Notes): Notes {
  const passwordSet = hasPassword(outcome);
  const wasSet = before.passwordSet ?? prior["password_set"];
  const isVersioned = (prior["password_wo_version"] ?? null) !== null;
  return { passwordSet, passwordAppeared: passwordSet === true && wasSet === false && !isVersioned };
}

/** Whether the user, or an account's primary user, has a password; undefined where the service does not show it. */
function hasPassword({ records }: Outcome): boolean | undefined {
  const shown = (records?.primary ?? records?.self)?.["password_set"];
  return typeof shown === "boolean" ? shown : undefined;
}

/** A warning where a refresh has found a password that the last apply did not leave, and the configuration does not decide about it. */
export function passwordAppearedIn(
  config: ObjectValue,
  prior: ObjectValue,
  { passwordAppeared: hasAppeared }: Notes,
): readonly Finding[] {
  const unset = config["unset"] ?? null;
  const isDecided =
    (config["password_wo"] ?? null) !== null || (isList(unset) && unset.includes("password_wo"));
  if (hasAppeared !== true || isDecided) return [];
  return [passwordAppeared.at({ login: textOf(prior["login"]) ?? textOf(prior["name"]) ?? "" })];
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

/** The permissions of one declaration, as the user wrote them. */
interface WrittenDeclaration {
  readonly identity: readonly Value[];
  readonly permissions: Value;
}

/**
 * Core plans with a configuration in which `ignore_changes` has put prior values. Validation sees it as it is written, right before each
 * plan, in the same process: so validation notes which objects declare permissions.
 */
export class WrittenPermissions {
  readonly #permissions = new Map<string, Set<boolean>>();
  /** What was validated, and is yet to be planned: few at a time. */
  readonly #unplanned = new Set<WrittenDeclaration>();

  /** Forgets all notes, because another run begins. */
  clear(): void {
    this.#permissions.clear();
    this.#unplanned.clear();
  }

  note(resource: Resource, raw: ObjectValue): void {
    if (!("permissions" in resource.description.attributes)) return;
    const { permissions = null } = raw;
    const identity = identityOf(resource, raw);
    const key = stringifyJson(identity);
    const noted = this.#permissions.get(key) ?? new Set();
    noted.add(permissions !== null);
    this.#permissions.set(key, noted);
    this.#unplanned.add({ identity, permissions });
  }

  /**
   * Refuses permissions that only `ignore_changes` has put there: they would be exact.
   * @param raw the configuration as Core plans it
   */
  findings(resource: Resource, raw: ObjectValue, prior: ObjectValue | null): readonly Finding[] {
    const { permissions = null } = raw;
    const before = prior?.["permissions"] ?? null;
    const identity = identityOf(resource, raw);
    const noted = this.#permissions.get(stringifyJson(identity));
    // Where the identity itself is ignored, nothing is noted under the prior one.
    const ignored = noted === undefined && prior !== null ? identityOf(resource, prior) : [];
    const sources = this.#sourcesOf(permissions, before, identity, ignored);
    const [source] = sources;
    if (source !== undefined && (noted !== undefined || sources.length === 1)) this.#unplanned.delete(source);
    const isDeclared =
      noted?.has(true) ?? (source === undefined || sources.some((one) => one.permissions !== null));
    // The whole attribute is ignored: its prior value is planned, and nothing is sent.
    if (!isObject(permissions) || isDeclared || equal(permissions, before)) return [];
    const [right = "permissions"] = Object.keys(permissions);
    return [ignoredRight.at(right, { attribute: ["permissions"] })];
  }

  /**
   * The declarations that may be the one that is planned.
   * @param ignored values that `ignore_changes` may have put into the identity
   */
  #sourcesOf(
    permissions: Value,
    before: Value,
    identity: readonly Value[],
    ignored: readonly Value[],
  ): readonly WrittenDeclaration[] {
    return [...this.#unplanned].filter(
      (written) =>
        identity.every((value, index) => value === written.identity[index] || value === ignored[index]) &&
        isMadeOf(permissions, written.permissions, before),
    );
  }
}

/** Whether permissions are the written ones, with prior values at some keys or at all of them. */
function isMadeOf(permissions: Value, written: Value, before: Value): boolean {
  if (isUnknown(permissions) || isUnknown(written) || equal(permissions, before)) return true;
  const [made, source, prior] = [permissions, written, before].map((value) => (isObject(value) ? value : {}));
  return Object.keys({ ...made, ...source }).every((right) => {
    const value = made?.[right] ?? null;
    const declared = source?.[right] ?? null;
    return isUnknown(declared) || equal(value, declared) || equal(value, prior?.[right] ?? null);
  });
}

/** The type, and the attributes that identify a declaration within a run: a change of them makes another object. */
function identityOf({ description: { type, attributes } }: Resource, raw: ObjectValue): readonly Value[] {
  const values = Object.keys(attributes)
    .filter((name) => attributes[name]?.forcesReplacement)
    .map((name) => raw[name] ?? null)
    .map((value) => (isUnknown(value) ? "?" : value));
  return [type, ...values];
}
