/** Both lists of the service at one moment, and what may be concluded from them. */
import type { AccountRecord, CallerRecord, CommonRecord, ProfileRecord } from "../../api";
import { isObject, type Value } from "../../values";
import { Register } from "./register";

export interface SnapshotParts {
  readonly accounts: readonly AccountRecord[];
  readonly profiles: readonly ProfileRecord[];
  /** Lists of other families, by their names. @default none */
  readonly others?: Lists;
  readonly caller: CallerRecord;
  /** Id, serial or login of the user profile that the run acts as; undefined where only a token is known. */
  readonly callerProfile: string | undefined;
}

/** Lists of families by their names. */
export type Lists = ReadonlyMap<string, readonly CommonRecord[]>;

export class Snapshot {
  readonly caller: CallerRecord;
  readonly #accounts: Register<AccountRecord>;
  readonly #profiles: Register<ProfileRecord>;
  readonly #others: ReadonlyMap<string, Register<CommonRecord>>;
  readonly #callerProfileId: string | undefined;

  constructor(parts: SnapshotParts) {
    this.caller = parts.caller;
    this.#accounts = new Register(parts.accounts);
    this.#profiles = new Register(parts.profiles);
    this.#others = new Map([...(parts.others ?? [])].map(([name, list]) => [name, new Register(list)]));
    this.#callerProfileId = parts.callerProfile;
  }

  /** The same without one record, as if it had been deleted. */
  without(id: string | undefined): Snapshot {
    const isOther = (record: CommonRecord): boolean => record.id !== id;
    return new Snapshot({
      accounts: this.accounts.filter(isOther),
      profiles: this.profiles.filter(isOther),
      others: new Map([...this.#others].map(([name, { records }]) => [name, records.filter(isOther)])),
      caller: this.caller,
      callerProfile: this.#callerProfileId,
    });
  }

  get accounts(): readonly AccountRecord[] {
    return this.#accounts.records;
  }

  get profiles(): readonly ProfileRecord[] {
    return this.#profiles.records;
  }

  /** The account with this id or serial. */
  account(idOrSerial: string): AccountRecord | undefined {
    return this.#accounts.findById(idOrSerial);
  }

  accountNamed(name: string): AccountRecord | undefined {
    return this.#accounts.find("name", name);
  }

  accountWithUuid(uuid: string): AccountRecord | undefined {
    return this.#accounts.find("uuid", uuid);
  }

  /** Accounts whose uuid is of this family, whatever the generation (see `ownership`). */
  accountsOfFamily(family: string): readonly AccountRecord[] {
    return this.#accounts.ofFamily(family);
  }

  /** The profile with this id or serial. */
  profile(idOrSerial: string): ProfileRecord | undefined {
    return this.#profiles.findById(idOrSerial);
  }

  profileWithLogin(login: string): ProfileRecord | undefined {
    return this.#profiles.find("login", login);
  }

  profileWithUuid(uuid: string): ProfileRecord | undefined {
    return this.#profiles.find("uuid", uuid);
  }

  /** User profiles whose uuid is of this family, whatever the generation. */
  profilesOfFamily(family: string): readonly ProfileRecord[] {
    return this.#profiles.ofFamily(family);
  }

  /** Every profile of an account, its primary one included. */
  profilesOf(accountId: string): readonly ProfileRecord[] {
    return this.#profiles.all("account_id", accountId);
  }

  /** The list of another family; empty where it has none. */
  listOf(family: string): Register<CommonRecord> {
    return this.#others.get(family) ?? NOTHING;
  }

  /** The profile that the run acts as, where that can be told. */
  get callerProfile(): ProfileRecord | undefined {
    const { user, serial } = this.caller as { readonly user?: Value; readonly serial?: Value };
    const known = this.#callerProfileId;
    // Mostly it is a login. Logins are looked up in any plan; an index of serials would be made for this alone.
    const own = known === undefined ? undefined : (this.profileWithLogin(known) ?? this.profile(known));
    if (own !== undefined) return own;
    for (const reference of [member(user, "id"), member(user, "serial"), serial]) {
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
}

const NOTHING = new Register<CommonRecord>([]);

function member(of: Value | undefined, name: string): Value | undefined {
  return isObject(of) ? of[name] : undefined;
}
