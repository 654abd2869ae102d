/** Ownership of a record, and what a declaration says of it. */
import { isKeyed, proofOf, seriesOf, uuidVersion, type NaturalKey } from "../../../src/ownership";
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

type Claimants = Pick<Witness, "owners" | "makers">;

export function isOurAccount({ serial, uuid, name }: Account, witness: Claimants): boolean {
  return isOurs(serial, uuid, { kind: "account", names: [name] }, witness);
}

/** A forger's record is ours only while names alone prove ownership: without an owner key. */
function isOurs(serial: string, uuid: string, key: NaturalKey, { owners, makers }: Claimants): boolean {
  const maker = makers.get(serial);
  if (maker !== undefined && (maker !== "forger" || owners.some(isKeyed))) return false;
  return owners.some((owner) => proofOf(uuid, key, owner) !== undefined);
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
 * True if another live user cannot be told from this one: the logins differ in their Unicode form alone, or the uuids in their last byte. Then
 * neither counts as ours. The last byte of a uuid that no name gives counts as any other.
 */
export function hasTwin({ id, login, uuid }: UserProfile, { profiles }: Snapshot): boolean {
  const series = [5, 8].includes(uuidVersion(uuid) ?? 0) ? seriesOf(uuid) : undefined;
  return [...profiles.values()].some(
    (other) =>
      other.id !== id &&
      (other.login.normalize() === login.normalize() ||
        (series !== undefined && seriesOf(other.uuid) === series)),
  );
}

export function accountIn({ accounts }: Declaration, name: string): DeclaredAccount | undefined {
  return accounts[name as AccountName];
}

export function userIn(declaration: Declaration, login: string): DeclaredUser | undefined {
  return declaredUsers(declaration).find((declared) => declared.login === login)?.user;
}

/**
 * True for a record that the store makes ours, since its uuid does not: it was imported, or has a declared uuid. The runs must have made it or must
 * have been told to import it.
 * @param key as the store has it: `account:acme`, `user_profile:jane@acme`
 */
export function isRecorded(serial: string, key: string, witness: Witness): boolean {
  const { store, makers, chronicle, exchanges } = witness;
  const isNew = exchanges.some(({ commits }) =>
    commits.some(({ before, after }) => before === undefined && after?.serial === serial),
  );
  if (isNew) return true;
  const isInStore = store.before?.objects[key]?.record?.serial === serial;
  return isInStore && (!makers.has(serial) || chronicle.importedRecords.has(serial));
}

/** True if Terraform's state holds it: then it is Terraform's to change and to delete, taken in or made. */
export function isInState({ engine, store }: Witness, key: string): boolean {
  return engine === "terraform" && store.before?.objects[key] !== undefined;
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
