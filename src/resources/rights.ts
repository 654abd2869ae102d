/** The rights of a user profile by group, in the order of spec 2.4. */
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

export type RightGroup = keyof typeof RIGHTS;

/** A right as the API spells it, with its group: `vss.manage_snapshots`. */
export type Right = { [G in RightGroup]: `${G}.${(typeof RIGHTS)[G][number]}` }[RightGroup];

export const RIGHT_GROUPS = Object.keys(RIGHTS) as readonly RightGroup[];

/** All 49 rights. */
export const ALL_RIGHTS: readonly Right[] = RIGHT_GROUPS.flatMap((group) =>
  RIGHTS[group].map((right) => `${group}.${right}` as Right),
);

/** Those whose holder can destroy data, or reach over the whole service. Plans mark them where somebody gains them. */
export const DESTRUCTIVE_RIGHTS: ReadonlySet<string> = new Set<Right>([
  "realm.can_switch_user",
  "realm.manage_node_membership",
  "realm.manage_accounts",
  "realm.run_admin_tasks",
  "node.remove_vss",
  "vss.remove_vss",
  "vss.manage_disk_cryptography",
  "vss.remove_locked_disks",
  "vss.format_disks",
  "account.delete_object_storage",
]);

/** What the spec marks as deprecated. */
export const DEPRECATED_RIGHTS: ReadonlySet<Right> = new Set<Right>(["vss.replicate_and_synchronize_disks"]);
