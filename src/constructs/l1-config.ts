/** Converts L2's properties to the configuration of L1 constructs. */
import { type ITerraformDependable, type TerraformProvider, Token } from "cdktf";
import type { Construct } from "constructs";
import { invalidValue, literalSecret } from "../problems";
import { escapedText } from "./address";
import { MEMBERS, NULLABLE, OBJECTS, SECRETS } from "./generated/l2/declared";
import { refuseUnfitValues, refuseUnknownMembers } from "./members";
import type { Permissions } from "./permissions";
import { Secret } from "./secret";

/**
 * Texts are escaped, a null becomes a name in `unset`, a `Secret` becomes a write-only value and its version, and the members of an
 * object of the API become properties of their own. If the API replaces such an object as a whole, absent members are unset or emptied.
 *
 * @param user construct that the configuration is for
 * @param owner the construct, in words: `tenant "acme"`
 * @param further members of the construct's properties that are no attributes
 * @param fixed attributes that the construct sets itself
 * @throws TENANCY_LITERAL_SECRET, TENANCY_INVALID_VALUE, TENANCY_UNKNOWN_ATTRIBUTE
 */
export function l1Config(
  kind: keyof typeof NULLABLE,
  props: object,
  user: Construct,
  {
    owner,
    further = [],
    ownAttributes = [],
  }: {
    readonly owner: string;
    readonly further?: readonly string[];
    readonly ownAttributes?: readonly string[];
  },
): Record<string, unknown> {
  const nullable: Readonly<Record<string, string>> = NULLABLE[kind];
  const secrets: Readonly<Record<string, string>> = SECRETS[kind];
  const objects: Readonly<Record<string, Readonly<Record<string, null | "[]">>>> = OBJECTS[kind];
  const known: Readonly<Record<string, readonly string[]>> = MEMBERS[kind];
  const unset: string[] = [];

  /** Keys of a user's map, as in `keepers`, are free. */
  function refuseUnknown(members: object, path: string): void {
    const names = known[path];
    if (names === undefined) return;
    refuseUnknownMembers(
      members,
      path === "" ? [...names.filter((name) => !ownAttributes.includes(name)), ...further] : names,
      path === "" ? owner : `${JSON.stringify(path)} of ${owner}`,
      { construct: user, objectOf: (name) => objectWith(name, path) },
    );
  }

  function objectWith(name: string, path: string): string | undefined {
    return Object.entries(known).find(
      ([other, names]) => other !== path && other !== "" && names.includes(name),
    )?.[0];
  }

  function group(members: object, parent: string): Record<string, unknown> {
    refuseUnknown(members, parent.slice(0, -1));
    const entries = Object.entries(members) as [string, unknown][];
    return Object.fromEntries(entries.flatMap(([name, value]) => member(name, value, parent + name)));
  }

  function member(name: string, value: unknown, path: string): [string, unknown][] {
    if (value === undefined) return [];
    refuseUnfitValues(kind, { [path]: value }, user);
    if (value === null) {
      if (Object.hasOwn(nullable, path)) unset.push(nullable[path] ?? "");
      return [];
    }
    const holder = Object.hasOwn(secrets, path) ? secrets[path] : undefined;
    if (Object.hasOwn(objects, path)) return object(name, value, objects[path] ?? {});
    // Keys of a user's map are templates, too. Names of attributes need no escaping.
    return holder === undefined ? [[escapedText(name), convert(value, path)]] : secret(holder, value, path);
  }

  /** `{ limits: { vssNum: 20 } }` is `limitsVssNum: 20` in L1. */
  function object(
    name: string,
    value: unknown,
    whenAbsent: Readonly<Record<string, null | "[]">>,
  ): [string, unknown][] {
    if (!isGroup(value))
      throw invalidValue.error(`"${name}" must be an object that is written out`, {
        attribute: [name],
        constructPath: user.node.path,
      });
    refuseUnknown(value, name);
    const present = Object.entries(value).filter(([, member]) => member !== undefined);
    const absent = Object.entries(whenAbsent)
      .filter(([member]) => !present.some(([one]) => one === member))
      .map(([member, empty]): [string, unknown] => [member, empty === null ? null : []]);
    return [...present, ...absent].flatMap(([member_, inner]) =>
      member(member_, inner, `${name}.${member_}`).map(([property, converted_]): [string, unknown] => [
        Object.hasOwn(secrets, `${name}.${member_}`)
          ? property
          : name + (property.charAt(0).toUpperCase() + property.slice(1)),
        converted_,
      ]),
    );
  }

  function secret(holder: string, value: unknown, path: string): [string, unknown][] {
    if (!(value instanceof Secret)) throw literalSecret.error(path, { constructPath: user.node.path });
    const versioned = holder.endsWith("Wo") && value.version !== undefined;
    return [
      [holder, value.valueFor(user)],
      ...(versioned ? [[`${holder}Version`, value.version] as [string, unknown]] : []),
    ];
  }

  function convert(value: unknown, path: string): unknown {
    if (Token.isUnresolved(value) && typeof value !== "string") return value;
    if (typeof value === "string") return escapedText(value);
    if (Array.isArray(value)) return value.map((element) => convert(element, path));
    return isGroup(value) ? group(value, `${path}.`) : value;
  }

  const config = group(props, "");
  return unset.length === 0 ? config : { ...config, unset: unset.sort() };
}

function isGroup(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The parts of an L1 configuration that have another form in L2. @throws TENANCY_INVALID_VALUE */
export function resourceConfig(
  { provider }: { readonly provider: TerraformProvider | undefined },
  {
    permissions,
    undeclaredRights,
    dependsOn,
  }: {
    readonly permissions?: Permissions | undefined;
    readonly undeclaredRights?: "deny" | "keep" | undefined;
    readonly dependsOn?: readonly ITerraformDependable[] | undefined;
  },
): Record<string, unknown> {
  if (permissions !== undefined && typeof permissions.toAttributes !== "function")
    throw invalidValue.error('"permissions" must be a `Permissions`, such as `Permissions.operator()`', {
      attribute: ["permissions"],
    });
  return {
    ...(provider !== undefined && { provider }),
    ...permissions?.toAttributes(undeclaredRights),
    ...(dependsOn !== undefined && dependsOn.length > 0 && { dependsOn: [...dependsOn] }),
  };
}
