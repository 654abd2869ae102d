/** Accounts are isolated from each other: whose records a caller may see (spec 1, 5). */
import { Refusal } from "../refusal";
import type { Row, Tombstone } from "../store/table";
import type { Caller } from "./caller";

/** Who manages accounts sees them all. */
export function managesAccounts(caller: Caller): boolean {
  return caller.profile.permissions.realm.rights.manage_accounts;
}

export function sees(caller: Caller, accountId: string): boolean {
  return accountId === caller.account.id || managesAccounts(caller);
}

/** Where a record may be found, by id or serial. */
interface Findable<R> {
  readonly type: string;
  find(ref: string): R | undefined;
  findDeleted(ref: string): Tombstone | undefined;
}

/**
 * The record that a path names.
 * @param accountOf the account that a record belongs to
 * @throws Refusal 404, also for what is none of the caller's business; 410 for what was deleted
 */
export function findVisible<R extends Row>(
  caller: Caller,
  table: Findable<R>,
  ref: string,
  accountOf: (row: R) => string,
): R {
  const row = table.find(ref);
  if (row !== undefined && sees(caller, accountOf(row))) return row;
  const deleted = table.findDeleted(ref);
  if (deleted !== undefined && sees(caller, deleted.account_id))
    throw new Refusal(410, `${table.type} ${ref} has been deleted`);
  throw new Refusal(404, `${table.type} ${ref} not found`);
}
