/** Both lists of the service at one moment, indexed, and what may be concluded from them. */
import type { AccountRecord, CallerRecord, ProfileRecord } from "../../api";
import { familyOf, uuidVersion } from "../../ownership";
import { isObject, type Value } from "../../values";

export interface SnapshotParts {
  readonly accounts: readonly AccountRecord[];
  readonly profiles: readonly ProfileRecord[];
  readonly caller: CallerRecord;
  /** Id, serial or login of the user profile that the run acts as; undefined where only a token is known. */
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

  /** The same without one record, as if it had been deleted. */
  without(id: string | undefined): Snapshot {
    const isOther = (record: { readonly id?: string | null | undefined }): boolean => record.id !== id;
    return new Snapshot({
      accounts: this.accounts.filter(isOther),
      profiles: this.profiles.filter(isOther),
      caller: this.caller,
      callerProfile: this.callerProfileId,
    });
  }

  /** The account with this id or serial. */
  account(idOrSerial: string): AccountRecord | undefined {
    return this.find("accounts", "id", idOrSerial) ?? this.find("accounts", "serial", idOrSerial);
  }

  accountNamed(name: string): AccountRecord | undefined {
    return this.find("accounts", "name", name);
  }

  accountWithUuid(uuid: string): AccountRecord | undefined {
    return this.find("accounts", "uuid", uuid);
  }

  /** Accounts whose uuid is of this family, whatever the generation (see `ownership`). */
  accountsOfFamily(family: string): readonly AccountRecord[] {
    return this.families("accounts").get(family) ?? [];
  }

  /** The profile with this id or serial. */
  profile(idOrSerial: string): ProfileRecord | undefined {
    return this.find("profiles", "id", idOrSerial) ?? this.find("profiles", "serial", idOrSerial);
  }

  profileWithLogin(login: string): ProfileRecord | undefined {
    return this.find("profiles", "login", login);
  }

  profileWithUuid(uuid: string): ProfileRecord | undefined {
    return this.find("profiles", "uuid", uuid);
  }

  /** User profiles whose uuid is of this family, whatever the generation. */
  profilesOfFamily(family: string): readonly ProfileRecord[] {
    return this.families("profiles").get(family) ?? [];
  }

  /** Every profile of an account, its primary one included. */
  profilesOf(accountId: string): readonly ProfileRecord[] {
    return this.profilesByAccount().get(accountId) ?? [];
  }

  /** The profile that the run acts as, where that can be told. */
  get callerProfile(): ProfileRecord | undefined {
    const { user, serial } = this.caller as { readonly user?: Value; readonly serial?: Value };
    const named = [this.callerProfileId, member(user, "id"), member(user, "serial"), serial];
    for (const reference of named) {
      if (typeof reference !== "string") continue;
      const profile = this.profile(reference) ?? this.profileWithLogin(reference);
      if (profile !== undefined) return profile;
    }
    return undefined;
  }

  /** The account that the run acts in, where it is listed. */
  get callerAccount(): AccountRecord | undefined {
    const serial = member(this.caller.account, "serial");
    const name = member(this.caller.account, "name");
    if (typeof serial === "string") return this.account(serial);
    if (typeof name === "string") return this.accountNamed(name);
    const accountId = this.callerProfile?.account_id;
    return typeof accountId === "string" ? this.account(accountId) : undefined;
  }

  private byAccount: ReadonlyMap<string, readonly ProfileRecord[]> | undefined;

  private profilesByAccount(): ReadonlyMap<string, readonly ProfileRecord[]> {
    this.byAccount ??= grouped(this.profiles, ({ account_id: account }) => account);
    return this.byAccount;
  }

  private readonly byFamily = new Map<
    string,
    ReadonlyMap<string, readonly (AccountRecord | ProfileRecord)[]>
  >();

  private families(
    list: "accounts" | "profiles",
  ): ReadonlyMap<string, readonly (AccountRecord | ProfileRecord)[]> {
    let index = this.byFamily.get(list);
    if (index === undefined) {
      index = grouped<AccountRecord | ProfileRecord>(this[list], ({ uuid }) =>
        typeof uuid === "string" && uuidVersion(uuid) === 5 ? familyOf(uuid) : undefined,
      );
      this.byFamily.set(list, index);
    }
    return index;
  }

  private find(list: "accounts", name: string, value: string): AccountRecord | undefined;
  private find(list: "profiles", name: string, value: string): ProfileRecord | undefined;
  private find(
    list: "accounts" | "profiles",
    name: string,
    value: string,
  ): AccountRecord | ProfileRecord | undefined {
    let index = this.indexes.get(`${list}.${name}`);
    if (index === undefined) {
      const made = new Map<string, AccountRecord | ProfileRecord>();
      for (const record of this[list]) {
        const key = record[name];
        if (typeof key === "string") made.set(comparable(name, key), record);
      }
      index = made;
      this.indexes.set(`${list}.${name}`, index);
    }
    return index.get(comparable(name, value));
  }
}

/** Uuids are the same in either case, names in any Unicode form. */
function comparable(name: string, key: string): string {
  return name === "uuid" ? key.toLowerCase() : key.normalize("NFC");
}

function member(of: Value | undefined, name: string): Value | undefined {
  return isObject(of) ? of[name] : undefined;
}

function grouped<T>(
  records: readonly T[],
  keyOf: (record: T) => string | null | undefined,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const key = keyOf(record);
    if (typeof key !== "string") continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups;
}
