/** An account as it is stored (spec 2.2). */
import type { AccountCreate, AccountUpdate } from "../parameters/account";
import { type Contact, EMPTY_CONTACT, updateContact } from "./contact";
import { type Identity, newIdentity, revise } from "./identity";

type Quota = number | bigint | null;

export interface Account extends Identity {
  readonly name: string;
  readonly disabled: boolean;
  readonly admin_profile_id: string;
  readonly usage_id: string;
  readonly template: string | null;
  readonly primary_contact: Contact;
  readonly billing_contact: Contact | null;
  readonly limits: { readonly vss_num: Quota; readonly size_reserve_total: Quota };
  readonly provisioning: {
    readonly size_reserve_max: Quota;
    readonly iops_reserve_max: Quota;
    readonly tags_include: readonly string[];
    readonly tags_exclude: readonly string[];
    readonly tags_permit: readonly string[] | null;
  };
  /** What a back door says of the resources that this service does not have. */
  readonly usage: Partial<Usage>;
}

export const USAGE_COUNTERS = [
  "size_reserve",
  "iops_reserve",
  "vss_num",
  "vdisk_num",
  "clones_num",
  "repl_num",
  "snapshot_num",
  "target_num",
  "profile_num",
  "user_num",
] as const;

export type Usage = Readonly<Record<(typeof USAGE_COUNTERS)[number], number>>;

export function newAccount(
  given: AccountCreate,
  ids: { readonly account: string; readonly profile: string },
  now: number,
): Account {
  return {
    ...newIdentity(ids.account, "ACT07", now, given.uuid),
    name: given.name,
    disabled: false,
    admin_profile_id: ids.profile,
    usage_id: ids.account.replace("account:", "account_usage:"),
    template: given.template ?? null,
    primary_contact: updateContact(EMPTY_CONTACT, given.primary_contact ?? {}),
    billing_contact: given.billing_contact ? updateContact(EMPTY_CONTACT, given.billing_contact) : null,
    limits: { vss_num: null, size_reserve_total: null, ...given.limits },
    provisioning: {
      size_reserve_max: null,
      iops_reserve_max: null,
      tags_include: [],
      tags_exclude: [],
      tags_permit: null,
      ...given.provisioning,
    },
    usage: {},
  };
}

/** The account after an update. The password is the primary user profile's, and is not handled here. */
export function updateAccount(account: Account, given: AccountUpdate, now: number): Account {
  const { primary_contact: primary, billing_contact: billing, limits, provisioning } = given;
  return revise(
    account,
    {
      limits,
      provisioning,
      ...(primary && { primary_contact: updateContact(account.primary_contact, primary) }),
      ...(billing === null && { billing_contact: null }),
      ...(billing && { billing_contact: updateContact(account.billing_contact ?? EMPTY_CONTACT, billing) }),
    },
    now,
  );
}
