/** The tenants that are measured: what the service is seeded with, and what the stack declares, are the same. */

export interface Size {
  readonly accounts: number;
  readonly usersPerAccount: number;
}

export const small: Size = { accounts: 100, usersPerAccount: 20 };
export const large: Size = { accounts: 1000, usersPerAccount: 20 };

/** Accounts and users. */
export function objectsOf({ accounts, usersPerAccount }: Size): number {
  return accounts * (1 + usersPerAccount);
}

export const OWNER = "bench";

export function accountName(index: number): string {
  return `tenant-${index}`;
}

export function username(index: number): string {
  return `user-${index}`;
}

/** Attributes of an account as the API names them. */
export function accountBody(index: number) {
  return {
    name: accountName(index),
    limits: { vss_num: 10 + (index % 5), size_reserve_total: 1_000_000_000_000 },
    provisioning: { tags_include: ["ssd"], tags_exclude: [] },
  };
}

/** Attributes of a user: one right, and all others denied. */
export function userBody(account: number, index: number) {
  return {
    username: username(index),
    email: `${username(index)}@${accountName(account)}.example`,
    email_notify: true,
    level: 0,
    access: { web: true, api: true },
    permissions: { vss: { all_account_scope: true, rights: { manage_snapshots: true, backup_disks: true } } },
  };
}
