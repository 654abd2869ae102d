/** Both lists of the service at one moment, indexed, and what may be concluded from them. */
import { isObject } from "../../values";
import type { AccountRecord, CallerRecord, ProfileRecord } from "../../api";

export interface SnapshotParts {
  readonly accounts: readonly AccountRecord[];
  readonly profiles: readonly ProfileRecord[];
  readonly caller: CallerRecord;
  /** Id or serial of the user profile that the run's log-in answered with; undefined with a token. */
  readonly callerProfile: string | undefined;
}

/** Indexes are made when first asked for: a plan that only lists needs none of them. */
export class Snapshot {
  readonly accounts: readonly AccountRecord[];
  readonly profiles: readonly ProfileRecord[];
  readonly caller: CallerRecord;
  private readonly callerProfileId: string | undefined;
  private readonly indexes = new Map<string, ReadonlyMap<string, AccountRecord | ProfileRecord>>();

  constructor(parts: SnapshotParts) {
    this.accounts = parts.accounts;
    this.profiles = parts.profiles;
    this.caller = parts.caller;
    this.callerProfileId = parts.callerProfile;
  }

  /** The account with this id or serial. */
  account(idOrSerial: string): AccountRecord | undefined {
    return this.find("accounts", "id", idOrSerial) ?? this.find("accounts", "serial", idOrSerial);
  }

  accountNamed(name: string): AccountRecord | undefined {
    return this.find("accounts", "name", name);
  }

  accountWithUuid(uuid: string): AccountRecord | undefined {
    return this.find("accounts", "uuid", uuid.toLowerCase());
  }

  /** The profile with this id or serial. */
  profile(idOrSerial: string): ProfileRecord | undefined {
    return this.find("profiles", "id", idOrSerial) ?? this.find("profiles", "serial", idOrSerial);
  }

  profileWithLogin(login: string): ProfileRecord | undefined {
    return this.find("profiles", "login", login);
  }

  profileWithUuid(uuid: string): ProfileRecord | undefined {
    return this.find("profiles", "uuid", uuid.toLowerCase());
  }

  /** Every profile of an account, its primary one included. */
  profilesOf(accountId: string): readonly ProfileRecord[] {
    return this.profilesByAccount().get(accountId) ?? [];
  }

  /** The profile that the run acts as, where that can be told. */
  get callerProfile(): ProfileRecord | undefined {
    const { user, serial } = this.caller;
    const named = [this.callerProfileId, ...(isObject(user) ? [user["id"], user["serial"]] : []), serial];
    for (const idOrSerial of named) {
      const profile = typeof idOrSerial === "string" ? this.profile(idOrSerial) : undefined;
      if (profile !== undefined) return profile;
    }
    return undefined;
  }

  /** The account that the run acts in, where it is listed. */
  get callerAccount(): AccountRecord | undefined {
    const { account } = this.caller;
    const { serial, name } = isObject(account) ? account : {};
    if (typeof serial === "string") return this.account(serial);
    if (typeof name === "string") return this.accountNamed(name);
    const accountId = this.callerProfile?.account_id;
    return typeof accountId === "string" ? this.account(accountId) : undefined;
  }

  private byAccount: ReadonlyMap<string, readonly ProfileRecord[]> | undefined;

  private profilesByAccount(): ReadonlyMap<string, readonly ProfileRecord[]> {
    if (this.byAccount === undefined) {
      const groups = new Map<string, ProfileRecord[]>();
      for (const profile of this.profiles) {
        if (typeof profile.account_id !== "string") continue;
        const group = groups.get(profile.account_id);
        if (group === undefined) groups.set(profile.account_id, [profile]);
        else group.push(profile);
      }
      this.byAccount = groups;
    }
    return this.byAccount;
  }

  private find(list: "accounts", member: string, value: string): AccountRecord | undefined;
  private find(list: "profiles", member: string, value: string): ProfileRecord | undefined;
  private find(
    list: "accounts" | "profiles",
    member: string,
    value: string,
  ): AccountRecord | ProfileRecord | undefined {
    const name = `${list}.${member}`;
    let index = this.indexes.get(name);
    if (index === undefined) {
      const made = new Map<string, AccountRecord | ProfileRecord>();
      for (const record of this[list]) {
        const key = record[member];
        if (typeof key === "string") made.set(member === "uuid" ? key.toLowerCase() : key, record);
      }
      index = made;
      this.indexes.set(name, index);
    }
    return index.get(value);
  }
}
