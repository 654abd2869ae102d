/** Counters of the account usage record (spec 2.2). */
export const USAGE_COUNTERS = {
  size_reserve: "Storage that is reserved.",
  iops_reserve: "IOPS that are reserved.",
  vss_num: "Number of virtual storage services.",
  vdisk_num: "Number of virtual disks.",
  clones_num: "Number of clones.",
  repl_num: "Number of replicas.",
  snapshot_num: "Number of snapshots.",
  target_num: "Number of targets.",
  profile_num: "Number of profiles.",
  user_num: "Number of users.",
} as const;
