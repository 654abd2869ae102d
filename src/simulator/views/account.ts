/** An account and its usage as answers show them (spec 2.2). */
import { toJsonObject } from "../json";
import type { Account, Usage } from "../records/account";
import type { Contact } from "../records/contact";
import { commonMembers, type Events, INTERNAL } from "./common";

/** @returns JSON */
export function writeAccount(
  account: Account,
  contacts: "names" | "full",
  events: Events = "current",
): string {
  const show = contacts === "full" ? (contact: Contact) => contact : namesOf;
  return toJsonObject(commonMembers(account, events), {
    idp: INTERNAL,
    usage_id: account.usage_id,
    disabled: account.disabled,
    name: account.name,
    admin_profile_id: account.admin_profile_id,
    primary_contact: show(account.primary_contact),
    billing_contact: account.billing_contact && show(account.billing_contact),
    limits: account.limits,
    provisioning: account.provisioning,
  });
}

function namesOf({ first_name, last_name }: Contact) {
  return { first_name, last_name };
}

/** Users are counted; of the resources that this service does not have there are none, unless a back door says so. */
export function usageView(account: Account, users: number): Usage {
  return {
    size_reserve: 0,
    iops_reserve: 0,
    vss_num: 0,
    vdisk_num: 0,
    clones_num: 0,
    repl_num: 0,
    snapshot_num: 0,
    target_num: 0,
    profile_num: users,
    user_num: users,
    ...account.usage,
  };
}
