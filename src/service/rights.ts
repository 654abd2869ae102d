/** Lists the 49 rights of a user profile (spec 2.4): the permission, and the consequence of each. */
import { type Finding, unknownRight } from "../problems";
import { isObject, type ObjectValue } from "../lib/values";
import type { Snapshot } from "./snapshot";

interface RightFacts {
  /** A sentence: the holder may do this. */
  readonly may: string;
  /** A sentence: the consequence, if the name does not show it. */
  readonly follows?: string;
  /** Destroys data. */
  readonly destructive?: true;
  /** Lets the holder take over others. */
  readonly privileged?: true;
  /** The API deprecates it; the rights that took its place. */
  readonly replacedBy?: readonly string[];
}

/** By group, in the order of the spec. */
const TABLE = {
  realm: {
    can_switch_user: {
      may: "Act as any user of a lower level.",
      follows:
        "The holder has all permissions of those users, in every account, and the actions are recorded as theirs.",
      privileged: true,
    },
    manage_node_membership: {
      may: "Add nodes to the service and remove nodes from it.",
      follows: "Storage on a node that is removed is lost to the service.",
      destructive: true,
    },
    manage_accounts: {
      may: "Create, change and delete other accounts, their users and their settings.",
      follows:
        "Deleting an account destroys the tenant's storage, and a user in any account can be made or given rights.",
      destructive: true,
      privileged: true,
    },
    view_logs: {
      may: "Read the logs of the service.",
      follows: "The logs record the actions of all accounts.",
    },
    run_admin_tasks: {
      may: "Run administrative tasks of the service.",
      follows: "Such tasks reach over every account and node.",
      privileged: true,
    },
    run_tests: {
      may: "Run tests of the service.",
      follows: "Tests put load on the nodes that all accounts share.",
    },
  },
  node: {
    manage_storage: {
      may: "Add, change and remove the storage of nodes.",
      follows: "Data on removed storage is lost.",
      destructive: true,
    },
    manage_networks: {
      may: "Change the network interfaces of nodes.",
      follows: "A wrong setting cuts off every account that has storage on the node.",
    },
    provision_vss: { may: "Create virtual storage services on nodes." },
    remove_vss: {
      may: "Remove virtual storage services from nodes.",
      follows: "Their disks and snapshots are lost.",
      destructive: true,
    },
  },
  vss: {
    dismiss_tasks: { may: "Dismiss finished and failed tasks from view." },
    update_vss: { may: "Change the settings of a virtual storage service." },
    remove_vss: {
      may: "Remove virtual storage services.",
      follows: "Their disks and snapshots are lost.",
      destructive: true,
    },
    set_vss_quota: {
      may: "Set the quotas of virtual storage services.",
      follows: "The holder can give a service up to all that the account may use.",
    },
    manage_internal_disks: { may: "Create, change and remove disks inside the service." },
    manage_external_disks: { may: "Attach, change and detach disks that lie outside the service." },
    manage_removable_disks: { may: "Create, change, load and eject removable disks." },
    manage_disk_cryptography: {
      may: "Set, change and remove the keys of encrypted disks.",
      follows: "A disk whose key is lost cannot be read any more.",
      destructive: true,
    },
    remove_locked_disks: {
      may: "Remove disks that are locked.",
      follows: "The lock no longer keeps their data from the holder.",
      destructive: true,
    },
    validate_data_integrity: { may: "Check the stored data for errors." },
    manage_targets: {
      may: "Create, change and remove iSCSI targets and their exports.",
      follows: "Clients lose a disk whose target is removed; the data stays.",
    },
    manage_profiles: {
      may: "Create, change and remove the iSCSI initiator profiles of a service.",
      follows: "Profiles hold the credentials by which clients reach disks.",
    },
    manage_secure_access_tokens: {
      may: "Create, change and remove the tokens that unlock a service's encrypted disks.",
      follows: "The holder can make encrypted disks readable, or keep others from them.",
    },
    manage_rules: { may: "Create, change and remove the rules of a service." },
    replicate_disks: {
      may: "Replicate disks to other services.",
      follows: "A replica is a readable copy of the data elsewhere.",
    },
    synchronize_disks: {
      may: "Synchronize disks with their replicas.",
      follows: "The side that is synchronized takes over the other's content.",
    },
    format_disks: {
      may: "Format disks.",
      follows: "All data on a formatted disk is lost.",
      destructive: true,
    },
    resize_disks: { may: "Change the size of disks." },
    manage_snapshots: {
      may: "Create and remove snapshots, and roll disks back to them.",
      follows: "Data written after a snapshot is lost when a disk is rolled back.",
    },
    backup_disks: {
      may: "Back disks up to object stores.",
      follows: "A backup is a readable copy of the data elsewhere.",
    },
    replicate_and_synchronize_disks: {
      may: "Replicate disks and synchronize them with their replicas.",
      replacedBy: ["vss.replicate_disks", "vss.synchronize_disks"],
    },
    compress_disks: { may: "Compress the data of disks." },
    manage_disk_compression: { may: "Switch compression on and off for disks." },
  },
  user: {
    manage_users: {
      may: "Create, change and delete the account's users, their rights included.",
      follows: "The holder can make a user with every right of the account.",
      privileged: true,
    },
    modify_user_contact_settings: {
      may: "Change the e-mail addresses and telephone numbers of the account's users.",
      follows: "Notices then go to another address.",
    },
    reset_user_password: {
      may: "Reset the passwords of the account's users.",
      follows: "The holder can log in as each of them.",
      privileged: true,
    },
    reset_user_two_factor: {
      may: "Reset the two-factor authentication of the account's users.",
      follows: "Only a user's password is then needed to log in.",
      privileged: true,
    },
    manage_authorizations: {
      may: "Create and revoke persistent API tokens.",
      follows: "A token stays valid until it is revoked, even if passwords change.",
      privileged: true,
    },
  },
  account: {
    modify_contact_settings: { may: "Change the contacts of the account." },
    view_events: { may: "Read the account's events." },
    view_statistics: { may: "Read the account's statistics." },
    manage_global_profiles: {
      may: "Create, change and remove iSCSI initiator profiles for the whole account.",
      follows:
        "Such profiles hold the credentials by which clients reach disks of every service of the account.",
    },
    manage_global_secure_access_tokens: {
      may: "Create, change and remove the tokens that unlock encrypted disks of the whole account.",
      follows: "The holder can make encrypted disks readable, or keep others from them.",
    },
    query_catalog: { may: "Look up the storage that can be provisioned." },
    provision_vss: {
      may: "Create virtual storage services in the account.",
      follows: "The account's quotas are the only limit.",
    },
    manage_obj_stores: {
      may: "Create, change and remove the account's object stores.",
      follows: "Backups in an object store that is removed cannot be reached through the service.",
    },
    read_object_storage: { may: "Read from the account's object stores, backups included." },
    write_object_storage: { may: "Write to the account's object stores." },
    delete_object_storage: {
      may: "Delete from the account's object stores, backups included.",
      follows: "Deleted backups are lost.",
      destructive: true,
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, RightFacts>>>>;

type RightsTable = typeof TABLE;

export type RightGroup = keyof RightsTable;

/** A right as the API spells it, with its group: `vss.manage_snapshots`. */
export type Right = { [G in RightGroup]: `${G}.${keyof RightsTable[G] & string}` }[RightGroup];

export const RIGHT_GROUPS = Object.keys(TABLE) as readonly RightGroup[];

const FACTS: ReadonlyMap<string, RightFacts> = new Map(
  RIGHT_GROUPS.flatMap((group) =>
    Object.entries<RightFacts>(TABLE[group]).map(([name, facts]): [string, RightFacts] => [
      `${group}.${name}`,
      facts,
    ]),
  ),
);

/** All 49 rights, in the order of the spec. */
export const ALL_RIGHTS = [...FACTS.keys()] as readonly Right[];

/** The names of the rights by group, in the order of the spec. */
export const RIGHTS = Object.fromEntries(
  RIGHT_GROUPS.map((group) => [group, Object.keys(TABLE[group])]),
) as unknown as { readonly [G in RightGroup]: readonly (keyof RightsTable[G] & string)[] };

/** Rights whose holder can destroy data. Plans mark them. */
export const DESTRUCTIVE_RIGHTS: ReadonlySet<string> = rightsThat(({ destructive }) => destructive === true);

/** Rights whose holder can take over others. Plans mark them. */
export const PRIVILEGED_RIGHTS: ReadonlySet<string> = rightsThat(({ privileged }) => privileged === true);

/** The rights that the service grants to a profile created without any (spec 4.4): all of the groups `vss`, `user` and `account`. */
export const DEFAULT_RIGHTS: readonly Right[] = ALL_RIGHTS.filter((right) =>
  /^(vss|user|account)\./.test(right),
);

function rightsThat(holds: (facts: RightFacts) => boolean): ReadonlySet<string> {
  return new Set(ALL_RIGHTS.filter((right) => holds(FACTS.get(right) ?? { may: "" })));
}

/** The form of a right's name, be it known or not. Scopes and kinds of access have names that no right may share. */
export const RIGHT_FORM = /^(?!(?:access|vss_scope|node_scope)\.)[A-Za-z][\w-]{0,63}\.[A-Za-z][\w-]{0,63}$/;

/**
 * Findings about an object, without unknown rights that the provider's `extra_rights` name.
 * @param extraRights undefined while they are not known: then no right can be called unknown
 */
export function acceptingExtraRights(
  findings: readonly Finding[],
  extraRights: readonly string[] | undefined,
): readonly Finding[] {
  if (findings.length === 0 || extraRights?.length === 0) return findings;
  return findings.filter(({ code, attribute }) => {
    const right = String(attribute?.at(-1));
    return code !== unknownRight.code || !(extraRights?.includes(right) ?? RIGHT_FORM.test(right));
  });
}

/** True if this version knows a right. */
export function isKnownRight(right: string): boolean {
  return FACTS.has(right);
}

/** The rights that took the place of one that the API deprecates; undefined for all others. */
export function successorsOf(right: string): readonly string[] | undefined {
  return FACTS.get(right)?.replacedBy;
}

const SUCCESSORS: readonly (readonly [right: string, successors: readonly string[]])[] = [...FACTS].flatMap(
  ([right, { replacedBy }]) => (replacedBy === undefined ? [] : [[right, replacedBy] as const]),
);

/**
 * The deprecated rights that say nothing more, because a set of rights holds every right that took their place. A service may derive
 * them from these rights, so they are neither sent nor compared.
 */
export function impliedRights(holds: (right: string) => boolean): ReadonlySet<string> {
  return new Set(SUCCESSORS.flatMap(([right, successors]) => (successors.every(holds) ? [right] : [])));
}

/** The meaning of a right, its consequence and its marks: one or more sentences. */
export function explainRight(right: string): string {
  const facts = FACTS.get(right);
  if (facts === undefined) return "";
  const marks = [facts.destructive && "destructive", facts.privileged && "privileged"].filter(Boolean);
  return [
    facts.may,
    facts.follows,
    marks.length > 0 && `(${marks.join(", ")})`,
    facts.replacedBy !== undefined &&
      `Deprecated by the API, in favour of ${facts.replacedBy.join(" and ")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

// The rights of the run's own credential, as far as they can be known.

/** True or false if the service says so, undefined if it cannot be known. */
export function callerMay(snapshot: Snapshot, right: Right): boolean | undefined {
  const [group = "", name = ""] = right.split(".");
  for (const holder of [snapshot.caller, snapshot.callerProfile]) {
    const permissions = holder?.permissions as ObjectValue | null | undefined;
    if (!isObject(permissions)) continue;
    const inGroup = permissions[group];
    const rights = isObject(inGroup) ? inGroup["rights"] : undefined;
    const value = isObject(rights) ? rights[name] : undefined;
    if (typeof value === "boolean") return value;
  }
  return undefined;
}
