/** Describes the scopes of a user profile's rights (spec 2.4): `vss_scope` and `node_scope` are sets of ids. */
import { type Attribute, type Codec, textSet } from "../schema";
import { isList, isObject, normalForm, type ObjectValue, type Path } from "../lib/values";

export function scope(group: "vss" | "node", things: string): Attribute {
  return textSet(
    `Ids of the ${things} that the rights of the group \`${group}\` hold for; \`["*"]\` for all. An undeclared scope ` +
      "does not change.",
    { length: [1, 256], alone: EVERYWHERE },
  )
    .codedBy(scopeCodec(group))
    .defaultsTo('`["*"]`');
}

/** Means all ids, in a scope that is written as a set of ids. */
export const EVERYWHERE = "*";

/** The API's names for a scope: a flag that lifts the limit, and the ids that limit it (spec 2.4). */
const SCOPES = {
  vss: { flag: "all_account_scope", list: "vsses" },
  node: { flag: "all_realm_scope", list: "nodes" },
} as const;

/**
 * The ids of the scope that a record shows for a group of rights, {@link EVERYWHERE} for all; undefined if the record shows none.
 * The flag decides; without a flag, a list that limits something does.
 */
export function shownScope(
  group: keyof typeof SCOPES,
  { permissions }: ObjectValue,
): readonly string[] | undefined {
  const { flag, list } = SCOPES[group];
  const inGroup = isObject(permissions) ? permissions[group] : undefined;
  if (!isObject(inGroup)) return undefined;
  if (inGroup[flag] === true) return [EVERYWHERE];
  const ids = inGroup[list];
  const shownIds = isList(ids)
    ? ids.flatMap((id) => (typeof id === "string" ? normalForm(id) : []))
    : undefined;
  if (inGroup[flag] === false) return shownIds ?? [];
  return shownIds !== undefined && shownIds.length > 0 ? shownIds : undefined;
}

function scopeCodec(group: keyof typeof SCOPES): Codec {
  const { flag, list } = SCOPES[group];
  const attribute = `${group}_scope`;
  return {
    member: "permissions",

    read: (record) => shownScope(group, record),

    write({ [attribute]: ids }) {
      if (!isList(ids)) return {};
      const isEverywhere = ids.includes(EVERYWHERE);
      return { permissions: { [group]: { [flag]: isEverywhere, [list]: isEverywhere ? [] : ids } } };
    },

    attributeOf([member, inGroup, name]: Path) {
      return member === "permissions" && inGroup === group && (name === flag || name === list)
        ? []
        : undefined;
    },
  };
}
