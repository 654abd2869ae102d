/** Computes who gains and who loses which rights. */
import { EVERYWHERE } from "../resources";
import type { AttributeChange, Attributes } from "../schema";
import { DESTRUCTIVE_RIGHTS } from "../service";
import { isList, isObject, isUnknown, type ObjectValue } from "../values";
import type { AccessChange, Change } from "./plan";

/** One entry for each object whose change gives or takes rights or access. */
export function accessChanges(changes: readonly Change[]): readonly AccessChange[] {
  return changes.flatMap((change) => {
    if (change.action === "none") return [];
    const isToken = Object.hasOwn(change.description.attributes, "access_token");
    const found = isToken ? tokenAccess(change) : rightsAccess(change);
    return found === undefined ? [] : [found];
  });
}

function rightsAccess(change: Change): AccessChange | undefined {
  const { attributes } = change.description;
  const before = grants(attributes, change.action === "create" ? null : change.before);
  const after = grants(attributes, change.action === "delete" ? null : change.after);
  const gains = [...after.given].filter((right) => !before.given.has(right));
  const loses = [...before.given].filter((right) => !after.given.has(right) && !after.unknown);
  const partlyUnknown = change.action !== "delete" && after.unknown && touchesAccess(change.attributes);
  if (gains.length === 0 && loses.length === 0 && !partlyUnknown) return undefined;
  return entry(change, gains, loses, partlyUnknown);
}

/** A token can do what its user can, so only its coming and going counts. */
function tokenAccess(change: Change): AccessChange | undefined {
  if (change.action === "create") return entry(change, ["token"], [], false);
  if (change.action === "delete") return entry(change, [], ["token"], false);
  return undefined;
}

function entry(
  change: Change,
  gains: readonly string[],
  loses: readonly string[],
  partlyUnknown: boolean,
): AccessChange {
  return {
    who: change.title,
    address: change.address,
    action: change.action,
    gains,
    loses,
    destructive: gains.filter((right) => DESTRUCTIVE_RIGHTS.has(right)),
    partlyUnknown,
  };
}

function touchesAccess(attributes: readonly AttributeChange[]): boolean {
  return attributes.some(({ path: [name = ""] }) => name === "permissions" || name.startsWith("access_"));
}

interface Grants {
  readonly given: ReadonlySet<string>;
  /** True if it is not known of some right whether it is granted. */
  readonly unknown: boolean;
}

/** The rights and kinds of access that a state gives, as the API spells them: `vss.manage_targets`, `access.api`. */
function grants(attributes: Attributes, state: ObjectValue | null): Grants {
  const given = new Set<string>();
  let unknown = false;
  const permissions = state?.["permissions"];
  // If an account declares no rights, its primary user gets what every such user gets, which is not shown.
  if (isUnknown(permissions) && attributes["permissions"]?.of !== "primary") unknown = true;
  for (const [right, value] of Object.entries(isObject(permissions) ? permissions : {})) {
    if (value === true) given.add(right);
    else if (isUnknown(value)) unknown = true;
  }
  for (const scope of ["vss_scope", "node_scope"]) {
    const ids = state?.[scope];
    if (isList(ids) && ids.includes(EVERYWHERE)) given.add(`${scope}.${EVERYWHERE}`);
  }
  for (const kind of ["web", "api"]) if (state?.[`access_${kind}`] === true) given.add(`access.${kind}`);
  return { given, unknown };
}
