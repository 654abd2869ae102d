/** Named sets of rights (spec 2.4). Rights over the whole service and its nodes are in none of them. */
import { DEFAULT_RIGHTS, type Right } from "../rights";

/** Nothing at all: to begin with when rights are named one by one. */
const none: readonly Right[] = [];

/** Looks, and touches nothing. */
const observer: readonly Right[] = [
  "account.view_events",
  "account.view_statistics",
  "account.query_catalog",
];

/** Runs what is there from day to day; neither provisions nor takes away anything that holds data. */
const operator: readonly Right[] = [
  ...observer,
  "vss.dismiss_tasks",
  "vss.update_vss",
  "vss.validate_data_integrity",
  "vss.manage_targets",
  "vss.manage_profiles",
  "vss.manage_rules",
  "vss.replicate_disks",
  "vss.synchronize_disks",
  "vss.resize_disks",
  "vss.manage_snapshots",
  "vss.backup_disks",
  "vss.compress_disks",
  "vss.manage_disk_compression",
  "account.read_object_storage",
  "account.write_object_storage",
];

/** Operates, and makes new storage; removes none. */
const provisioner: readonly Right[] = [
  ...operator,
  "vss.set_vss_quota",
  "vss.manage_internal_disks",
  "vss.manage_external_disks",
  "vss.manage_removable_disks",
  "vss.format_disks",
  "account.provision_vss",
  "account.manage_obj_stores",
  "account.manage_global_profiles",
];

/** Observes, and manages keys and what unlocks disks; does nothing else with the storage, so that the duties are apart. */
const keyManager: readonly Right[] = [
  ...observer,
  "vss.manage_disk_cryptography",
  "vss.manage_secure_access_tokens",
  "account.manage_global_secure_access_tokens",
];

/** Everything inside the account: what the service itself grants to a profile created without permissions (spec 4.4). */
const accountAdmin = DEFAULT_RIGHTS;

/** The presets by name. Adding a right to one grants it to everybody who uses it: a breaking change. */
export const PRESETS = {
  none,
  observer,
  operator,
  provisioner,
  key_manager: keyManager,
  account_admin: accountAdmin,
} as const satisfies Readonly<Record<string, readonly Right[]>>;

export type PresetName = keyof typeof PRESETS;

export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];
