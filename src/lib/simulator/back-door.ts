/** Reads and changes records without HTTP: for changes by other clients of a service, and for fast seeding. */
import type { Account, AccountCreate, AccountUpdate, Usage } from "./account";
import { mergeChanges, type Partially, revise } from "./record";
import { changeAccount, createAccount, removeAccount } from "./routes/account";
import { issueToken, removeAuthorization } from "./routes/authorization";
import { changeProfile, createProfile, profileRemoval } from "./routes/user-profile";
import type { Service } from "./service";
import type { Authorization } from "./tokens";
import type { UserProfile, UserProfileCreate, UserProfileUpdate } from "./user-profile";

/** Members of an account that the API has no call for. */
export type AccountPatch = AccountUpdate & Partial<Pick<Account, "uuid" | "disabled">>;

/** Members of a profile that the API has no call for. */
export type UserProfilePatch = UserProfileUpdate &
  Partial<Pick<UserProfile, "uuid" | "account_admin" | "activated" | "email_verified">>;

/**
 * Records by id, serial or natural key: an account's name, a profile's login. There is no validation and no check of permissions. A changed
 * record gets a new `seq` and `mtime`. Every method throws if there is no such record.
 */
export class BackDoor {
  constructor(private readonly service: Service) {}

  /** As they are stored, system account included. */
  get accounts(): readonly Account[] {
    return [...this.service.store.accounts.values()];
  }

  /** As they are stored: numbers unmasked, passwords as digests. */
  get profiles(): readonly UserProfile[] {
    return [...this.service.store.profiles.values()];
  }

  /** Persistent tokens that were not revoked. */
  get authorizations(): readonly Authorization[] {
    return [...this.service.store.authorizations.values()];
  }

  /** As it is stored. */
  account(ref: string): Account {
    const { accounts } = this.service.store;
    return requireFound(accounts.find(ref) ?? accounts.by("name", ref), "account", ref);
  }

  /** As it is stored. */
  profile(ref: string): UserProfile {
    const { profiles } = this.service.store;
    return requireFound(profiles.find(ref) ?? profiles.by("login", ref), "user profile", ref);
  }

  /** An account with its primary user profile. */
  createAccount(parameters: AccountCreate): Account {
    return createAccount(this.service, parameters);
  }

  /** A user profile in an account. */
  createProfile(account: string, parameters: Omit<UserProfileCreate, "account_id">): UserProfile {
    return createProfile(this.service, this.account(account), parameters);
  }

  /** A persistent token for a login; its secret is `access_token`. */
  createToken(login: string): Authorization & { readonly access_token: string } {
    const { authorization, access_token } = issueToken(this.service, this.profile(login));
    return { ...authorization, access_token };
  }

  /** Changes these members, and no others. */
  patchAccount(ref: string, patch: AccountPatch): Account {
    const { uuid, disabled, ...parameters } = patch;
    const account = revise(this.account(ref), { uuid, disabled }, this.service.now());
    this.service.store.commit([{ table: "accounts", put: account }]);
    return changeAccount(this.service, account, parameters);
  }

  /** Changes these members, and no others. */
  patchProfile(ref: string, patch: UserProfilePatch): UserProfile {
    const { uuid, account_admin, email_verified, ...parameters } = patch;
    const members: Partially<UserProfile> = { uuid, account_admin, email_verified };
    const profile = revise(this.profile(ref), members, this.service.now());
    this.service.store.commit([{ table: "profiles", put: profile }]);
    return changeProfile(this.service, profile, parameters);
  }

  /** Changes the answer of `GET /account/{id}/usage`; counters that are not given stay as they are. */
  setUsage(ref: string, usage: Partial<Usage>): void {
    const account = this.account(ref);
    this.service.store.commit([{ table: "accounts", put: mergeChanges(account, { usage }) }]);
  }

  /** With everything in it, or refused where it is not empty, as the option `accountDelete` says. */
  deleteAccount(ref: string): void {
    removeAccount(this.service, this.account(ref));
  }

  /** With its tokens. */
  deleteProfile(ref: string): void {
    this.service.store.commit(profileRemoval(this.service, this.profile(ref)));
  }

  /** @param ref id or serial */
  revokeToken(ref: string): void {
    removeAuthorization(
      this.service,
      requireFound(this.service.store.authorizations.find(ref), "authorization", ref),
    );
  }

  /** Gives a user another id, as a migration may do. Serial, uuid, tokens and sessions stay. */
  renumberProfile(ref: string): UserProfile {
    const { store } = this.service;
    const old = this.profile(ref);
    const profile = { ...old, id: store.profiles.newId() };
    store.profiles.drop(old);
    store.commit([
      { table: "profiles", put: profile },
      ...store.authorizations
        .in("user_id", old.id)
        .map((row) => ({ table: "authorizations", put: { ...row, user_id: profile.id } }) as const),
      ...store.sessions
        .in("user_id", old.id)
        .map((row) => ({ table: "sessions", put: { ...row, user_id: profile.id } }) as const),
    ]);
    return profile;
  }

  /**
   * Backs up all records.
   * @returns restores them: later records are lost, and their ids are used again
   */
  backup(): () => void {
    return this.service.store.backup();
  }

  /** Ends all sessions, as a restart of a service that keeps none would. */
  endSessions(): void {
    for (const session of this.service.store.sessions.values()) this.service.store.sessions.drop(session);
  }
}

function requireFound<T>(record: T | undefined, kind: string, ref: string): T {
  if (record === undefined) throw new Error(`the simulator has no ${kind} ${ref}`);
  return record;
}
