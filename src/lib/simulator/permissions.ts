/** Permissions: which rights there are, which of them a new profile has, how they are given and shown (spec 2.4, 4.4). */
import { boolean, object, type Parameter, strings } from "./parameters";

export const RIGHTS = {
  realm: [
    "can_switch_user",
    "manage_node_membership",
    "manage_accounts",
    "view_logs",
    "run_admin_tasks",
    "run_tests",
  ],
  node: ["manage_storage", "manage_networks", "provision_vss", "remove_vss"],
  vss: [
    "dismiss_tasks",
    "update_vss",
    "remove_vss",
    "set_vss_quota",
    "manage_internal_disks",
    "manage_external_disks",
    "manage_removable_disks",
    "manage_disk_cryptography",
    "remove_locked_disks",
    "validate_data_integrity",
    "manage_targets",
    "manage_profiles",
    "manage_secure_access_tokens",
    "manage_rules",
    "replicate_disks",
    "synchronize_disks",
    "format_disks",
    "resize_disks",
    "manage_snapshots",
    "backup_disks",
    "replicate_and_synchronize_disks",
    "compress_disks",
    "manage_disk_compression",
  ],
  user: [
    "manage_users",
    "modify_user_contact_settings",
    "reset_user_password",
    "reset_user_two_factor",
    "manage_authorizations",
  ],
  account: [
    "modify_contact_settings",
    "view_events",
    "view_statistics",
    "manage_global_profiles",
    "manage_global_secure_access_tokens",
    "query_catalog",
    "provision_vss",
    "manage_obj_stores",
    "read_object_storage",
    "write_object_storage",
    "delete_object_storage",
  ],
} as const;

export type RightSet = keyof typeof RIGHTS;
type Right<G extends RightSet> = (typeof RIGHTS)[G][number];
type Rights<G extends RightSet> = Readonly<Record<Right<G>, boolean>>;

/** A right as refusals name it. */
export type NamedRight = { [G in RightSet]: `${G}.${Right<G>}` }[RightSet];

/** The right that a change of a member needs, of a user who does not manage accounts. */
export interface Need {
  readonly right: NamedRight;
  /** The user of the profile itself may change it without. */
  readonly own?: true;
}

/** By member. The call itself sets the needs of other members. */
export type Needs<Given> = Readonly<Partial<Record<keyof Given, Need | "nothing">>>;

export interface Permissions {
  readonly realm: { readonly rights: Rights<"realm"> };
  readonly node: {
    readonly all_realm_scope: boolean;
    readonly nodes: readonly string[];
    readonly rights: Rights<"node">;
  };
  readonly vss: {
    readonly all_account_scope: boolean;
    readonly vsses: readonly string[];
    readonly rights: Rights<"vss">;
  };
  readonly user: { readonly rights: Rights<"user"> };
  readonly account: { readonly rights: Rights<"account"> };
}

/** Permissions of a profile that is created without permission parameters. */
export const NEW_PROFILE: Permissions = {
  realm: { rights: all("realm", false) },
  node: { all_realm_scope: true, nodes: [], rights: all("node", false) },
  vss: { all_account_scope: true, vsses: [], rights: all("vss", true) },
  user: { rights: all("user", true) },
  account: { rights: all("account", true) },
};

/** Permissions without a right. The scopes have their defaults. */
export const NO_RIGHT: Permissions = {
  ...NEW_PROFILE,
  vss: { ...NEW_PROFILE.vss, rights: all("vss", false) },
  user: { rights: all("user", false) },
  account: { rights: all("account", false) },
};

/** Permissions of the system user. */
export const EVERY_RIGHT: Permissions = {
  ...NEW_PROFILE,
  realm: { rights: all("realm", true) },
  node: { ...NEW_PROFILE.node, rights: all("node", true) },
};

function all<G extends RightSet>(group: G, isGranted: boolean): Rights<G> {
  return Object.fromEntries(RIGHTS[group].map((right) => [right, isGranted])) as Rights<G>;
}

/** Permissions as calls take them. */
export const permissionParameters = object({
  realm: object({ rights: rights("realm") }),
  node: object({ all_realm_scope: boolean(), nodes: strings(), rights: rights("node") }),
  vss: object({ all_account_scope: boolean(), vsses: strings(), rights: rights("vss") }),
  user: object({ rights: rights("user") }),
  account: object({ rights: rights("account") }),
});

function rights<G extends RightSet>(group: G): Parameter<{ readonly [R in Right<G>]?: boolean }> {
  return object(Object.fromEntries(RIGHTS[group].map((right) => [right, boolean()])));
}

/** A list of nodes has no meaning for a user whose scope is the whole realm. */
export function permissionsView(permissions: Permissions) {
  const { realm, node, vss, user, account } = permissions;
  const { all_realm_scope, nodes, rights } = node;
  return { realm, node: { all_realm_scope, ...(!all_realm_scope && { nodes }), rights }, vss, user, account };
}
