/**
 * Remembers which configurations declare permissions, as the user wrote them. Terraform plans with a configuration into which `ignore_changes` has
 * put prior values. It validates the configuration as it is written, right before each plan and in the same process.
 */
import { type Finding, ignoredRight } from "../problems";
import type { Resource } from "../resources";
import { equal, isObject, isUnknown, type ObjectValue, stringifyJson, type Value } from "../lib/values";

/** The permissions of one declaration, as the user wrote them. */
interface WrittenDeclaration {
  readonly identity: readonly Value[];
  readonly permissions: Value;
}

export class WrittenPermissions {
  /** By identity: whether the declarations with it have permissions. */
  readonly #permissions = new Map<string, Set<boolean>>();
  /** Validated, and yet to be planned: few at a time. */
  readonly #unplanned = new Set<WrittenDeclaration>();

  /** @param config the configuration as it is validated */
  note(resource: Resource, config: ObjectValue): void {
    if (!("permissions" in resource.description.attributes)) return;
    const { permissions = null } = config;
    const identity = identifyingValues(resource, config);
    const key = stringifyJson(identity);
    const presence = this.#permissions.get(key) ?? new Set();
    presence.add(permissions !== null);
    this.#permissions.set(key, presence);
    this.#unplanned.add({ identity, permissions });
  }

  /**
   * Refuses permissions that only `ignore_changes` has put there: they would be authoritative.
   * @param config the configuration as it is planned
   */
  findings(resource: Resource, config: ObjectValue, prior: ObjectValue | null): readonly Finding[] {
    const { permissions = null } = config;
    const before = prior?.["permissions"] ?? null;
    const identity = identifyingValues(resource, config);
    const presence = this.#permissions.get(stringifyJson(identity));
    // If the identity itself is ignored, the prior identity gets no note.
    const ignoredIdentity =
      presence === undefined && prior !== null ? identifyingValues(resource, prior) : [];
    const sources = this.#sourcesOf(permissions, before, identity, ignoredIdentity);
    const [source] = sources;
    if (source !== undefined && (presence !== undefined || sources.length === 1))
      this.#unplanned.delete(source);
    const isDeclared =
      presence?.has(true) ?? (source === undefined || sources.some((one) => one.permissions !== null));
    // If the whole attribute is ignored, its prior value is planned, and nothing is sent.
    if (!isObject(permissions) || isDeclared || equal(permissions, before)) return [];
    const [right = "permissions"] = Object.keys(permissions);
    return [ignoredRight.at(right, { attribute: ["permissions"] })];
  }

  /**
   * The declarations that may be the one that is planned.
   * @param ignoredIdentity values that `ignore_changes` may have put into the identity
   */
  #sourcesOf(
    permissions: Value,
    before: Value,
    identity: readonly Value[],
    ignoredIdentity: readonly Value[],
  ): readonly WrittenDeclaration[] {
    return [...this.#unplanned].filter(
      (declaration) =>
        identity.every(
          (value, index) => value === declaration.identity[index] || value === ignoredIdentity[index],
        ) && isMadeOf(permissions, declaration.permissions, before),
    );
  }
}

/** True if permissions are the source's, with prior values at some keys or at all of them. */
function isMadeOf(permissions: Value, sourcePermissions: Value, before: Value): boolean {
  if (isUnknown(permissions) || isUnknown(sourcePermissions) || equal(permissions, before)) return true;
  const objects = [permissions, sourcePermissions, before].map((value) => (isObject(value) ? value : {}));
  const [result, source, prior] = objects;
  return Object.keys({ ...result, ...source }).every((right) => {
    const value = result?.[right] ?? null;
    const writtenValue = source?.[right] ?? null;
    return isUnknown(writtenValue) || equal(value, writtenValue) || equal(value, prior?.[right] ?? null);
  });
}

/** The type, and the attributes that identify a declaration within a run: a change of them makes another object. */
function identifyingValues(
  { description: { type, attributes } }: Resource,
  config: ObjectValue,
): readonly Value[] {
  const values = Object.keys(attributes)
    .filter((name) => attributes[name]?.forcesReplacement)
    .map((name) => config[name] ?? null)
    .map((value) => (isUnknown(value) ? "?" : value));
  return [type, ...values];
}
