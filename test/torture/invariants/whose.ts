/** Ownership of a record, and what a declaration says of it. */
import type { Account, UserProfile } from "../../../src/lib/simulator";
import {
  declaredUsers,
  type AccountName,
  type DeclaredAccount,
  type DeclaredUser,
  type Declaration,
} from "../model/declaration";
import type { Witness } from "./invariant";
import { profileWithLogin, type Snapshot } from "../world/snapshot";

type Claimants = Pick<Witness, "chronicle" | "before" | "after">;

export function isOurAccount({ serial }: Account, witness: Claimants): boolean {
  return isOurs(serial, witness);
}

/** A run has made the record, or was told to import it. */
function isOurs(serial: string, { chronicle }: Claimants): boolean {
  return chronicle.madeRecords.has(serial) || chronicle.importedRecords.has(serial);
}

/** The primary user of an account comes and goes with it. */
export function isOurProfile(
  { serial, account_admin: isPrimary, account_id: accountId }: UserProfile,
  witness: Claimants,
): boolean {
  const { before, after } = witness;
  const account = isPrimary ? (before.accounts.get(accountId) ?? after.accounts.get(accountId)) : undefined;
  return isOurs(account?.serial ?? serial, witness);
}

/** True if another live user cannot be told from this one: the logins differ in their Unicode form alone. Then neither counts as ours. */
export function hasTwin({ id, login }: UserProfile, { profiles }: Snapshot): boolean {
  return [...profiles.values()].some(
    (other) => other.id !== id && other.login.normalize() === login.normalize(),
  );
}

export function accountIn({ accounts }: Declaration, name: string): DeclaredAccount | undefined {
  return accounts[name as AccountName];
}

export function userIn(declaration: Declaration, login: string): DeclaredUser | undefined {
  return declaredUsers(declaration).find((declared) => declared.login === login)?.user;
}

/**
 * True for a record that the state makes ours, since its uuid does not: it was imported, or has a declared uuid. The runs must have made it or must
 * have been told to import it.
 * @param key as the state has it: `account:acme`, `user_profile:jane@acme`
 */
export function isRecorded(serial: string, key: string, witness: Witness): boolean {
  const { state, makers, chronicle, exchanges } = witness;
  const isNew = exchanges.some(({ commits }) =>
    commits.some(({ before, after }) => before === undefined && after?.serial === serial),
  );
  if (isNew) return true;
  const isInState = state.before?.objects[key]?.record?.serial === serial;
  return isInState && (!makers.has(serial) || chronicle.importedRecords.has(serial));
}

/** True if Terraform's state holds it: then it is Terraform's to change and to delete, taken in or made. */
export function isInState({ engine, state }: Witness, key: string): boolean {
  return engine === "terraform" && state.before?.objects[key] !== undefined;
}

/** True if `new Deletion(…)` names it; what is not managed by this owner must be identified, too. */
export function isRemoved({ removed }: Declaration, account: string, username?: string): boolean {
  return removed.some((removal) => removal.account === account && removal.username === username);
}

/** True if the runs' own user may manage accounts: then no list hides an account. */
export function seesEveryAccount({ self, before }: Pick<Witness, "self" | "before">): boolean {
  return profileWithLogin(before, self.login)?.permissions.realm.rights.manage_accounts === true;
}

export function accountOf({ accounts }: Snapshot, { account_id: id }: UserProfile): string {
  return accounts.get(id)?.name ?? "";
}
