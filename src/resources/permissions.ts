/**
 * Describes the rights of a user profile, also of an account's primary one (spec 2.4): `permissions` is a map of rights. Answers and bodies
 * hold them by group, together with the scopes.
 */
import {
  type Finding,
  RESTRICTIONS,
  type Restriction,
  restrictionsLost,
  rightsKept,
  rightsTaken,
  undeclaredPermissions,
} from "../problems";
import {
  type Attribute,
  type Attributes,
  type Codec,
  type Difference,
  flagMap,
  oneOf,
  type Records,
} from "../schema";
import {
  ALL_RIGHTS,
  DEFAULT_RIGHTS,
  DESTRUCTIVE_RIGHTS,
  explainRight,
  impliedRights,
  PRIVILEGED_RIGHTS,
  RIGHT_GROUPS,
  RIGHTS,
  successorsOf,
} from "../service";
import {
  isList,
  isObject,
  isUnknown,
  type ObjectValue,
  onceForEach,
  type Path,
  type Value,
} from "../lib/values";
import { hasOwnEnd, inEffect } from "./ends";
import { exactPreset } from "./presets";
import { EVERYWHERE, scope } from "./scopes";

/** Declared, it is exact, because the service would grant most rights by default. */
function permissions(): Attribute {
  return flagMap(
    'The user\'s permissions: rights by name, as in `{ "vss.manage_snapshots" = true }`. Once it is declared, a right that is not ' +
      'listed is denied, because the service would grant most of them by default. With `undeclared_rights = "keep"` only the rights ' +
      "that are listed are managed.",
    { keys: { known: ALL_RIGHTS, explain: explainRight, successors: successorsOf } },
  ).codedBy(rightsCodec);
}

/** The attributes that declare rights, without {@link undeclaredRights}. */
export function rightsAndScopes(): Attributes {
  return {
    permissions: permissions(),
    vss_scope: scope("vss", "virtual storage services"),
    node_scope: scope("node", "nodes"),
  };
}

/** The attribute that decides about rights that the configuration does not name. */
export function undeclaredRights(): Attributes {
  return {
    undeclared_rights: oneOf(
      "Treatment of rights that `permissions` does not list: `deny` (the default) or `keep`.",
      ["deny", "keep"],
    ).clientOnly("deny"),
  };
}

/** True if only the rights that the configuration names are managed. */
export function keepsUndeclared(siblings: ObjectValue | null): boolean {
  return siblings?.["undeclared_rights"] === "keep";
}

/** True if a configuration leaves rights open that it does not name: they may be granted without being declared. */
export function areRightsOpen(config: ObjectValue): boolean {
  return (config["permissions"] ?? null) === null || keepsUndeclared(config);
}

/**
 * Every right that a record shows, those too that this version does not know; undefined if the record shows none. The groups
 * of the spec come first, in its order.
 */
export function shownRights({ permissions }: ObjectValue): Readonly<Record<string, boolean>> | undefined {
  return isObject(permissions) ? rightsByName(permissions) : undefined;
}

/** The known rights by group and by their names there. Building a name again costs more than every use of it. */
const RIGHT_NAMES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  RIGHT_GROUPS.map((group) => [group, new Map(RIGHTS[group].map((name) => [name, `${group}.${name}`]))]),
);

/** The known rights, cut into the name of the group and the one in it. */
const RIGHT_PARTS: ReadonlyMap<string, readonly [group: string, name: string]> = new Map(
  RIGHT_GROUPS.flatMap((group) => RIGHTS[group].map((name) => [`${group}.${name}`, [group, name]])),
);

/** A record is looked at several times after a write. */
const rightsByName = onceForEach((permissions: ObjectValue): Readonly<Record<string, boolean>> => {
  const valuesByName: Record<string, boolean> = {};
  const others = Object.keys(permissions).filter((group) => !Object.hasOwn(RIGHTS, group));
  for (const group of [...RIGHT_GROUPS, ...others]) {
    const inGroup = permissions[group];
    const rights = isObject(inGroup) ? inGroup["rights"] : undefined;
    if (!isObject(rights)) continue;
    const known = RIGHT_NAMES.get(group);
    for (const name in rights) {
      const value = rights[name];
      if (typeof value === "boolean") valuesByName[known?.get(name) ?? `${group}.${name}`] = value;
    }
  }
  return valuesByName;
});

/** The rights that a record shows as granted; undefined if it shows no permissions. */
export function grantedRights(record: ObjectValue | undefined): readonly string[] | undefined {
  const rights = record && shownRights(record);
  return rights && trueKeys(rights);
}

/** The rights that the records of an object show as granted; undefined if they show no permissions. */
export function grantedIn(attributes: Attributes, records: Records): readonly string[] | undefined {
  const { permissions: attribute } = attributes;
  return attribute && grantedRights(records[attribute.of]);
}

/** The keys of a map of flags that are true. */
function trueKeys(map: Value | undefined): readonly string[] {
  return isObject(map) ? Object.keys(map).filter((key) => map[key] === true) : [];
}

/** The deprecated rights that a map of rights grants already by the rights that took their place. */
function impliedIn(rights: ObjectValue): ReadonlySet<string> {
  return impliedRights((right) => rights[right] === true);
}

/** Findings of a plan about the rights that an object's configuration does not name. */
export function rightsFindings(
  who: string,
  config: ObjectValue,
  prior: ObjectValue | null,
  planned: ObjectValue,
  grantedRights: readonly string[] | undefined = isObject(prior?.["permissions"])
    ? trueKeys(prior["permissions"])
    : undefined,
): readonly Finding[] {
  const grantedBefore = prior === null ? DEFAULT_RIGHTS : grantedRights;
  if ((config["permissions"] ?? null) === null)
    return [
      undeclaredPermissions.at({
        login: who,
        rights: grantedBefore,
        preset: grantedBefore && exactPreset(grantedBefore),
        isNew: prior === null,
        harm: grantedBefore && harmIn(grantedBefore),
      }),
    ];
  const { permissions } = inEffect(planned, prior);
  if (!isObject(permissions) || grantedBefore === undefined) return [];
  const implied = impliedIn(permissions);
  const unnamed = grantedBefore.filter((right) => !Object.hasOwn(permissions, right) && !implied.has(right));
  if (unnamed.length === 0) return [];
  if (keepsUndeclared(planned))
    return [rightsKept.at({ login: who, rights: unnamed, harm: harmIn(unnamed) })];
  // The plan itself shows which rights an authoritative state takes away.
  return keepsUndeclared(prior)
    ? [rightsTaken.at({ login: who, rights: unnamed, harm: harmIn(unnamed) })]
    : [];
}

/** Restrictions of a live user that are not declared. They end when the user is replaced, because the service gives a new user its defaults. */
export function restrictionFindings(
  who: string,
  config: ObjectValue,
  prior: ObjectValue,
): readonly Finding[] {
  const lostRestrictions = RESTRICTIONS.filter(
    (name) => holdsBack(name, prior[name] ?? null) && (config[name] ?? null) === null,
  );
  // Every user has a level, so it is named only together with a certain restriction.
  return lostRestrictions.every((name) => name === "level")
    ? []
    : [restrictionsLost.at({ login: who, restrictions: lostRestrictions })];
}

function holdsBack(name: Restriction, value: Value): boolean {
  switch (name) {
    case "two_factor_auth":
      return value !== null && value !== "none";
    case "vss_scope":
    case "node_scope":
      return isList(value) && !value.includes(EVERYWHERE);
    // The service has a default that the specification does not name.
    case "level":
      return value !== null;
    default:
      return value === false;
  }
}

/** The danger of these rights, as an adjective; undefined if there is none. */
function harmIn(rights: readonly string[]): string | undefined {
  const words = [
    rights.some((right) => DESTRUCTIVE_RIGHTS.has(right)) && "destructive",
    rights.some((right) => PRIVILEGED_RIGHTS.has(right)) && "privileged",
  ].filter((word) => word !== false);
  return words.length === 0 ? undefined : words.join(" and ");
}

/**
 * True if an update takes a right away, or may do so.
 * @param after may hold unknowns
 */
export function takesRight(right: string, before: ObjectValue, after: ObjectValue): boolean {
  const declaredRights = inEffect(after, before)["permissions"] ?? null;
  const rightsBefore = inEffect(before)["permissions"] ?? null;
  const live = isObject(rightsBefore)
    ? (rightsBefore[right] ?? (keepsUndeclared(before) ? null : false))
    : null;
  if (live === false) return false;
  if (!isObject(declaredRights)) return isUnknown(declaredRights);
  if (!Object.hasOwn(declaredRights, right)) return !keepsUndeclared(after);
  return declaredRights[right] !== true;
}

/** A service may name its groups and rights as it likes, `constructor` and `__proto__` included. */
class RightsBody {
  readonly #groups = new Map<string, Map<string, boolean>>();

  set(right: string, value: boolean): void {
    const [group, name] = splitRight(right);
    this.#groups.set(group, (this.#groups.get(group) ?? new Map<string, boolean>()).set(name, value));
  }

  get members(): ObjectValue {
    const groups = [...this.#groups].map(([group, rights]) => [
      group,
      { rights: Object.fromEntries(rights) },
    ]);
    return groups.length === 0 ? {} : { permissions: Object.fromEntries(groups) as ObjectValue };
  }
}

function splitRight(right: string): readonly [group: string, name: string] {
  const known = RIGHT_PARTS.get(right);
  if (known !== undefined) return known;
  const at = right.indexOf(".");
  return [right.slice(0, at), right.slice(at + 1)];
}

const rightsCodec: Codec = {
  member: "permissions",

  read: shownRights,

  /** The last declared rights and, unless undeclared ones are kept, every other granted right. Rights with an end are in another attribute. */
  state(shownValue, siblings) {
    const declaredValue = siblings?.["permissions"] ?? null;
    const live = isObject(shownValue) ? shownValue : {};
    const declaredRights = isObject(declaredValue) ? declaredValue : {};
    const implied = new Set([...impliedIn(live), ...impliedIn(declaredRights)]);
    const state: Record<string, Value> = {};
    for (const [right, value] of Object.entries(declaredRights))
      state[right] = implied.has(right) ? value : (live[right] ?? false);
    if (!keepsUndeclared(siblings))
      for (const right of trueKeys(live))
        if (!implied.has(right) && !hasOwnEnd(right, siblings)) state[right] = true;
    return state;
  },

  differences(declaredRights, record, siblings) {
    const live = shownRights(record);
    if (live === undefined || !isObject(declaredRights)) return [];
    const implied = impliedIn(declaredRights);
    const differences: Difference[] = [];
    for (const right of Object.keys(declaredRights)) {
      if (implied.has(right)) continue;
      const value = declaredRights[right] ?? null;
      const liveValue = live[right] ?? false;
      if (typeof value === "boolean" && value !== liveValue)
        differences.push({ path: [right], value, shown: liveValue });
    }
    if (!keepsUndeclared(siblings))
      for (const right of trueKeys(live))
        if (!Object.hasOwn(declaredRights, right) && !implied.has(right))
          differences.push({ path: [right], value: false, shown: true });
    return differences;
  },

  write(planned, prior) {
    const { permissions: declaredRights } = planned;
    if (!isObject(declaredRights)) return {};
    const before = prior?.["permissions"] ?? null;
    const rightsBefore: ObjectValue = isObject(before) ? before : {};
    const isExact = !keepsUndeclared(planned);
    // Only for an authoritative state it is known that rights which it does not name are not granted.
    const isKnown = prior !== null && isObject(before) && !keepsUndeclared(prior);
    // This runs for every user that is created, so no set is made: only rights that this release does not know are added to its list.
    const isNew = (right: string): boolean => !RIGHT_PARTS.has(right);
    const rightsToWrite = isExact
      ? [...ALL_RIGHTS, ...Object.keys({ ...rightsBefore, ...declaredRights }).filter(isNew)]
      : Object.keys(declaredRights);
    const implied = impliedIn(declaredRights);
    // A service may show an implied right or not, so the prior state says nothing of it.
    const wasImplied = impliedIn(rightsBefore);
    const body = new RightsBody();
    for (const right of rightsToWrite) {
      if (implied.has(right)) continue;
      const value = declaredRights[right] ?? false;
      const known = wasImplied.has(right)
        ? undefined
        : (rightsBefore[right] ?? (isKnown ? false : undefined));
      if (typeof value === "boolean" && value !== known) body.set(right, value);
    }
    return body.members;
  },

  attributeOf([member, group, rights, name]: Path) {
    if (member !== "permissions" || rights !== "rights") return undefined;
    return name === undefined ? [] : [`${String(group)}.${String(name)}`];
  },
};
