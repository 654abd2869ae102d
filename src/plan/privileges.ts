/**
 * Privileges: values that give a user more access, and that the service keeps if no configuration declares them. The state remembers each one
 * as an apply first saw or wrote it. An undeclared privilege with another live value was changed outside Tenancy. Pure.
 */
import { ENDED_ACCESS, endNameOf, type Ends, EVERYWHERE, keepsUndeclared } from "../resources";
import { type Attributes, type Records, shownValue } from "../schema";
import { impliedRights } from "../service";
import {
  equal,
  isInteger,
  isList,
  isObject,
  isUnknown,
  type ObjectValue,
  type Path,
  type Value,
} from "../lib/values";
import { canonical } from "./applied-values";

/** Privileges of one object by attribute, as the service shows them. Rights are the list of granted rights. */
export type Privileges = Readonly<Record<string, Value>>;

/** An undeclared privilege that differs from the remembered one. */
export interface ChangedPrivilege {
  /** The attribute; of a right `["permissions", "vss.format_disks"]`. */
  readonly path: Path;
  /** Undefined if the state has lost its entry of it. */
  readonly from: Value | undefined;
  readonly to: Value;
}

const RIGHTS_ATTRIBUTE = "permissions";
const FACTOR_ATTRIBUTE = "two_factor_auth";
const ATTRIBUTES = [
  ...["level", "allow_su", "access_web", "access_api"],
  ...[FACTOR_ATTRIBUTE, "vss_scope", "node_scope", RIGHTS_ATTRIBUTE],
];

/** Represents a privilege whose entry the state has lost. No privilege has this value. */
const NOT_VERIFIED = "not verified";

/** True for the path of a privilege that a configuration does not declare. */
export function isUndeclaredPrivilege(config: ObjectValue, path: Path): boolean {
  return ATTRIBUTES.includes(String(path[0])) && !isDeclaredPrivilege(config, path);
}

/**
 * The privileges that live records show.
 * @param config leaves out attributes that this configuration decides about as a whole. @default none
 */
export function privilegesIn(attributes: Attributes, records: Records, config: ObjectValue = {}): Privileges {
  const privileges: Record<string, Value> = {};
  for (const name of ATTRIBUTES) {
    const isOpen = name === RIGHTS_ATTRIBUTE && keepsUndeclared(config);
    if (!isOpen && isDeclaredPrivilege(config, [name])) continue;
    const attribute = attributes[name];
    const record = attribute && records[attribute.of];
    const value = attribute && record && shownValue(attribute, name, record);
    if (attribute === undefined || value === undefined) continue;
    privileges[name] =
      name === RIGHTS_ATTRIBUTE ? withoutImplied(canonical(attribute, value)) : canonical(attribute, value);
  }
  return privileges;
}

/** A service may show a right or not that others imply. */
function withoutImplied(rights: Value): Value {
  if (!isList(rights)) return rights;
  const implied = impliedRights((right) => rights.includes(right));
  return implied.size === 0 ? rights : listedRights(rights).filter((right) => !implied.has(right));
}

/** Last privileges of an object whose entry in the state is lost. */
export function lostPrivileges(live: Privileges): Privileges {
  return Object.fromEntries(Object.keys(live).map((name) => [name, NOT_VERIFIED]));
}

/**
 * The privileges that the configuration does not declare, and that are others than those remembered. One that the state never saw is none of them:
 * the next apply remembers it.
 */
export function changedPrivileges(
  config: ObjectValue,
  live: Privileges,
  lastPrivileges: Privileges,
): readonly ChangedPrivilege[] {
  // The entry holds declared privileges, too.
  if (Object.keys(live).every((name) => equal(live[name], lastPrivileges[name]))) return [];
  return privilegePaths(live, lastPrivileges).flatMap((path): readonly ChangedPrivilege[] => {
    const [from, to] = [privilegeAt(lastPrivileges, path), privilegeAt(live, path)];
    if (from === undefined || to === undefined || isDeclaredPrivilege(config, path)) return [];
    if (from === NOT_VERIFIED) return holdsPrivilege(path, to) ? [{ path, from: undefined, to }] : [];
    const isSame =
      path[0] === FACTOR_ATTRIBUTE
        ? holdsPrivilege(path, from) === holdsPrivilege(path, to)
        : equal(from, to);
    return isSame ? [] : [{ path, from, to }];
  });
}

/**
 * The privileges to remember after an apply. Declared privileges, those with an end before it, and privileges that the state never saw get their live
 * value. All others keep their remembered value.
 */
export function privilegesAfterApply(
  config: ObjectValue,
  live: Privileges,
  lastPrivileges: Privileges = {},
  endsBefore: Ends = {},
): Privileges {
  if (equal(live, lastPrivileges)) return lastPrivileges;
  const paths = privilegePaths(live, lastPrivileges);
  const hasEnd = (path: Path) => Object.hasOwn(endsBefore, endNameOf(path));
  const isNew = (path: Path) => privilegeAt(lastPrivileges, path) === undefined;
  return withAccepted(
    lastPrivileges,
    live,
    paths.filter((path) => isNew(path) || hasEnd(path) || isDeclaredPrivilege(config, path)),
  );
}

/** The entry with some privileges as they are live. */
export function withAccepted(
  lastPrivileges: Privileges,
  live: Privileges,
  paths: readonly Path[],
): Privileges {
  const result: Record<string, Value> = { ...lastPrivileges };
  const rights = new Map<string, boolean>();
  for (const [name = "", right] of paths)
    if (right !== undefined) rights.set(String(right), privilegeAt(live, [name, right]) === true);
    else if (name in live) result[name] = live[name] ?? null;
  if (rights.size === 0) return result;
  const whole = lastPrivileges[RIGHTS_ATTRIBUTE];
  if (whole === NOT_VERIFIED) {
    // Until every right is verified, the verified ones are separate entries.
    for (const [right, isGranted] of rights) result[`${RIGHTS_ATTRIBUTE}.${right}`] = isGranted;
    const isOpen = (path: Path) => path[0] === RIGHTS_ATTRIBUTE && privilegeAt(result, path) === NOT_VERIFIED;
    if (privilegePaths(live, result).some(isOpen)) return result;
    const isVerifiedRight = (name: string) => name.startsWith(`${RIGHTS_ATTRIBUTE}.`);
    const verifiedRights = Object.keys(result).filter(
      (name) => isVerifiedRight(name) && result[name] === true,
    );
    return {
      ...Object.fromEntries(Object.entries(result).filter(([name]) => !isVerifiedRight(name))),
      [RIGHTS_ATTRIBUTE]: verifiedRights.map((name) => name.slice(RIGHTS_ATTRIBUTE.length + 1)).sort(),
    };
  }
  const others = listedRights(whole).filter((right) => !rights.has(right));
  const grantedRights = [...rights].filter(([, isGranted]) => isGranted).map(([right]) => right);
  return { ...result, [RIGHTS_ATTRIBUTE]: [...others, ...grantedRights].sort() };
}

/** The ends whose access the privileges hold. Privileges that are not remembered may hold any. */
export function heldEnds(days: Ends, lastPrivileges: Privileges = {}): readonly string[] {
  return Object.keys(days).filter((end) => {
    const paths = end === ENDED_ACCESS ? [["access_web"], ["access_api"]] : [[RIGHTS_ATTRIBUTE, end]];
    return paths.some((path) => holdsPrivilege(path, privilegeAt(lastPrivileges, path) ?? true));
  });
}

/** True if the change gives the user more access than the state remembers. */
export function isMorePrivilege({ path, from, to }: ChangedPrivilege): boolean {
  if (!holdsPrivilege(path, to)) return false;
  if (isInteger(from) && isInteger(to)) return to > from;
  if (!isList(from) || !isList(to)) return true;
  return !from.includes(EVERYWHERE) && to.some((id) => !from.includes(id));
}

/** `permissions.vss.format_disks`: also the name by which the privilege is accepted, after the login. */
export function privilegeName(path: Path): string {
  return path.join(".");
}

/** The paths of single privileges. Each right has a path; rights that the state never saw have one path together. */
function privilegePaths(live: Privileges, lastPrivileges: Privileges): readonly Path[] {
  return Object.keys(live).flatMap((name): readonly Path[] => {
    if (name !== RIGHTS_ATTRIBUTE || lastPrivileges[RIGHTS_ATTRIBUTE] === undefined) return [[name]];
    const rights = new Set([
      ...listedRights(live[RIGHTS_ATTRIBUTE]),
      ...listedRights(lastPrivileges[RIGHTS_ATTRIBUTE]),
    ]);
    return [...rights].map((right) => [RIGHTS_ATTRIBUTE, right]);
  });
}

/** The rights of a list; none where it is no list. */
function listedRights(list: Value | undefined): readonly string[] {
  return isList(list ?? null) ? (list as readonly string[]) : [];
}

/** Undefined where nothing is said of it. */
function privilegeAt(privileges: Privileges, [name = "", right]: Path): Value | undefined {
  const whole = privileges[String(name)];
  if (right === undefined) return whole;
  return privileges[`${name}.${right}`] ?? (isList(whole) ? whole.includes(right) : whole);
}

/** True if the configuration decides about the privilege. */
function isDeclaredPrivilege(config: ObjectValue, [name = "", right]: Path): boolean {
  const value = config[String(name)] ?? null;
  if (right === undefined || isUnknown(value)) return value !== null;
  if (!isObject(value) || !keepsUndeclared(config)) return value !== null;
  const until = config["permissions_until"] ?? null;
  return Object.hasOwn(value, right) || (isObject(until) && Object.hasOwn(until, right));
}

/** True if a value of a privilege lets the user do something. */
function holdsPrivilege([name]: Path, value: Value): boolean {
  if (name === FACTOR_ATTRIBUTE) return value === "none";
  if (isList(value)) return value.length > 0;
  return value !== null && value !== false && value !== 0;
}
