/** Whose a record is, and what a declaration says of it. */
import { proofOf, type NaturalKey } from "../../../src/ownership";
import type { Account, UserProfile } from "../../../src/simulator";
import {
  declaredUsers,
  type AccountName,
  type DeclaredAccount,
  type DeclaredUser,
  type Declaration,
} from "../model/declaration";
import type { Witness } from "./invariant";
import type { Snapshot } from "../world/snapshot";

export function isOurAccount({ uuid, name }: Account, { owners }: Pick<Witness, "owners">): boolean {
  return proofOf(uuid, { kind: "account", names: [name] }, owners) !== undefined;
}

export function isOurProfile(
  { uuid, login, account_admin: isPrimary }: UserProfile,
  { owners }: Pick<Witness, "owners">,
): boolean {
  const [username = "", account = login] = login.split("@");
  const key: NaturalKey = isPrimary
    ? { kind: "primary", names: [login] }
    : { kind: "user_profile", names: [account, username] };
  return proofOf(uuid, key, owners) !== undefined;
}

export function accountIn({ accounts }: Declaration, name: string): DeclaredAccount | undefined {
  return accounts[name as AccountName];
}

export function userIn(declaration: Declaration, login: string): DeclaredUser | undefined {
  return declaredUsers(declaration).find((declared) => declared.login === login)?.user;
}

/** Whether Terraform's state holds it: then it is Terraform's to change and to delete, taken in or made. */
export function isInState({ engine, store }: Witness, key: string): boolean {
  return engine === "terraform" && store.before?.objects[key] !== undefined;
}

/** Whether `new Removed(…)` names it; what isn't ours must be identified, too. */
export function isRemoved({ removed }: Declaration, account: string, username?: string): boolean {
  return removed.some((removal) => removal.account === account && removal.username === username);
}

export function accountOf({ accounts }: Snapshot, { account_id: id }: UserProfile): string {
  return accounts.get(id)?.name ?? "";
}
