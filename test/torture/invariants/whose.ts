/** Ownership of a record, and what a declaration says of it. */
import { proofOf, seriesOf, type NaturalKey } from "../../../src/ownership";
import type { Account, UserProfile } from "../../../src/lib/simulator";
import {
  declaredUsers,
  type AccountName,
  type DeclaredAccount,
  type DeclaredUser,
  type Declaration,
} from "../model/declaration";
import type { Witness } from "./invariant";
import type { Snapshot } from "../world/snapshot";

type Claimants = Pick<Witness, "owners" | "makers">;

export function isOurAccount({ serial, uuid, name }: Account, witness: Claimants): boolean {
  return isOurs(serial, uuid, { kind: "account", names: [name] }, witness);
}

/** A forger's record is ours only while names alone prove ownership: without an owner key, or while records from before the key count. */
function isOurs(serial: string, uuid: string, key: NaturalKey, { owners, makers }: Claimants): boolean {
  const maker = makers.get(serial);
  const isKeyed = owners.keys !== undefined && !owners.keys.takesUnkeyed;
  if (maker !== undefined && (maker !== "forger" || isKeyed)) return false;
  return proofOf(uuid, key, owners) !== undefined;
}

export function isOurProfile(
  { serial, uuid, login, account_admin: isPrimary }: UserProfile,
  witness: Claimants,
): boolean {
  const [username = "", account = login] = login.split("@");
  const key: NaturalKey = isPrimary
    ? { kind: "primary", names: [login] }
    : { kind: "user_profile", names: [account, username] };
  return isOurs(serial, uuid, key, witness);
}

/**
 * Whether another live user cannot be told from this one: the logins differ in their Unicode form alone, or the uuids in their last byte. Then
 * neither counts as ours.
 */
export function hasTwin({ id, login, uuid }: UserProfile, { profiles }: Snapshot): boolean {
  return [...profiles.values()].some(
    (other) =>
      other.id !== id &&
      (other.login.normalize() === login.normalize() || seriesOf(other.uuid) === seriesOf(uuid)),
  );
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

/** Whether `new Deletion(…)` names it; what is not managed by this owner must be identified, too. */
export function isRemoved({ removed }: Declaration, account: string, username?: string): boolean {
  return removed.some((removal) => removal.account === account && removal.username === username);
}

export function accountOf({ accounts }: Snapshot, { account_id: id }: UserProfile): string {
  return accounts.get(id)?.name ?? "";
}
