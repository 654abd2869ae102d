/** Holds the accounts and user profiles of the service as they were read. */
import {
  type AccountRecord,
  type CallerRecord,
  type CommonRecord,
  type ProfileRecord,
  withIds,
} from "../api";
import { TenancyError } from "../problems";
import { isObject, normalForm, type Value } from "../lib/values";

// One list, with an index for each way in which records are looked up.

/** Indexes are made when first asked for: a plan in which nothing changes needs few of them. */
export class Register<T extends CommonRecord = CommonRecord> {
  readonly #indexes = new Map<string, ReadonlyMap<string, T>>();
  readonly #groups = new Map<string, ReadonlyMap<string, readonly T[]>>();
  /** For each index: records that share a value. There should be none. */
  readonly #sharing = new Map<string, ReadonlyMap<string, readonly T[]>>();

  constructor(readonly records: readonly T[]) {}

  /**
   * The record whose member has this value; of several, the one that has it letter by letter.
   * @param valueOf computes a value that is not a single member; it must be the same function for the same name
   */
  find(memberText: string, value: string, valueOf?: (record: T) => unknown): T | undefined {
    const read = valueOf ?? ((record: T) => record[memberText]);
    const several = this.sharing(memberText, value, valueOf);
    return (
      several.find((record) => read(record) === value) ??
      this.#indexes.get(memberText)?.get(comparable(memberText, value))
    );
  }

  /** Records whose member has this value, if there are several: names in any Unicode form. Otherwise none. */
  sharing(memberText: string, value: string, valueOf?: (record: T) => unknown): readonly T[] {
    if (!this.#indexes.has(memberText)) this.#index(memberText, valueOf ?? ((record) => record[memberText]));
    return this.#sharing.get(memberText)?.get(comparable(memberText, value)) ?? [];
  }

  #index(memberText: string, valueOf: (record: T) => unknown): void {
    const index = new Map<string, T>();
    const sharing = new Map<string, readonly T[]>();
    for (const record of this.records) {
      const value = valueOf(record);
      if (typeof value !== "string") continue;
      const key = comparable(memberText, value);
      const former = index.get(key);
      if (former !== undefined) sharing.set(key, [...(sharing.get(key) ?? [former]), record]);
      index.set(key, record);
    }
    this.#indexes.set(memberText, index);
    this.#sharing.set(memberText, sharing);
  }

  /** The record with this id, serial or uuid. */
  findById(reference: string): T | undefined {
    return this.find("id", reference) ?? this.find("serial", reference) ?? this.find("uuid", reference);
  }

  /** Every record whose member has this value. */
  all(memberText: string, value: string): readonly T[] {
    return this.#grouped(memberText, (record) => record[memberText]).get(value) ?? [];
  }

  #grouped(name: string, keyOf: (record: T) => unknown): ReadonlyMap<string, readonly T[]> {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const groups = new Map<string, T[]>();
    for (const record of this.records) {
      const key = keyOf(record);
      if (typeof key !== "string") continue;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [record]);
      else group.push(record);
    }
    this.#groups.set(name, groups);
    return groups;
  }
}

/** Uuids are the same in either case, names in any Unicode form. */
function comparable(memberText: string, value: string): string {
  return memberText === "uuid" ? value.toLowerCase() : normalForm(value);
}

/** The lists of the service at one moment, and conclusions from them. */
export class Snapshot {
  readonly caller: CallerRecord;
  readonly #accounts: Register<AccountRecord>;
  readonly #profiles: Register<ProfileRecord>;
  /** These two, and the lists of other families. */
  readonly #lists: ReadonlyMap<string, Register>;
  /** Families whose lists the service refuses, with its refusals. Accounts and user profiles are not among them. */
  readonly refused: ReadonlyMap<string, TenancyError>;
  /** A record that is live, or may be, although its list lacks it, as a clause: the lists are incomplete. Undefined if no such record is known. */
  readonly unlisted: string | undefined;
  /** Ids of listed records of which more is shown by a single read. */
  readonly summaries: ReadonlySet<string>;
  readonly #callerProfileId: string | undefined;

  constructor(parts: {
    readonly accounts: readonly AccountRecord[];
    readonly profiles: readonly ProfileRecord[];
    /** Lists of other families, by their names. @default none */
    readonly others?: ReadonlyMap<string, readonly CommonRecord[] | TenancyError>;
    readonly caller: CallerRecord;
    /** Id, serial or login of the user profile that the run acts as; undefined if only a token is known. */
    readonly callerProfile: string | undefined;
    readonly unlisted?: string | undefined;
    /** @default none */
    readonly summaries?: ReadonlySet<string>;
  }) {
    this.caller = parts.caller;
    const resolved = withIds(parts.accounts, parts.profiles);
    this.#accounts = new Register(resolved(parts.accounts));
    this.#profiles = new Register(resolved(parts.profiles));
    const others = [...(parts.others ?? [])];
    this.refused = new Map(
      others.flatMap(([name, list]) => (list instanceof TenancyError ? [[name, list] as const] : [])),
    );
    this.#lists = new Map<string, Register>([
      ...others.flatMap(([name, list]) =>
        list instanceof TenancyError ? [] : [[name, new Register(resolved(list))] as const],
      ),
      ["account", this.#accounts],
      ["user_profile", this.#profiles],
    ]);
    this.#callerProfileId = parts.callerProfile;
    this.unlisted = parts.unlisted;
    this.summaries = parts.summaries ?? new Set();
  }

  /** The same without one record, as if it had been deleted. */
  without(id: string | undefined): Snapshot {
    return this.#with((record) => record.id !== id, this.unlisted);
  }

  /** The same, knowing of a record that its list lacks: "the user profile jane@acme … is live, and not in the list of profiles". */
  lacking(unlisted: string): Snapshot {
    return this.#with(() => true, unlisted);
  }

  #with(isOther: (record: CommonRecord) => boolean, unlisted: string | undefined): Snapshot {
    return new Snapshot({
      unlisted,
      accounts: this.accounts.filter(isOther),
      profiles: this.profiles.filter(isOther),
      others: new Map<string, readonly CommonRecord[] | TenancyError>([
        ...[...this.#lists].map(([name, { records }]) => [name, records.filter(isOther)] as const),
        ...this.refused,
      ]),
      caller: this.caller,
      callerProfile: this.#callerProfileId,
      summaries: this.summaries,
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

  /** The profile with this id or serial. */
  profile(idOrSerial: string): ProfileRecord | undefined {
    return this.#profiles.findById(idOrSerial);
  }

  /** Profiles that share a login, in any Unicode form; none if only one has it. */
  profilesSharing(login: string): readonly ProfileRecord[] {
    return this.#profiles.sharing("login", login);
  }

  profileWithLogin(login: string): ProfileRecord | undefined {
    return this.#profiles.find("login", login);
  }

  /** Every profile of an account, its primary one included. */
  profilesOf(accountId: string): readonly ProfileRecord[] {
    return this.#profiles.all("account_id", accountId);
  }

  /**
   * The list of a family, by its name; empty if it was not read.
   * @throws TenancyError if the service refuses it: a refused list proves nothing
   */
  listOf(family: string): Register {
    const refusal = this.refused.get(family);
    if (refusal !== undefined) throw refusal;
    return this.#lists.get(family) ?? EMPTY_REGISTER;
  }

  /** The profile that the run acts as, where that is known. */
  get callerProfile(): ProfileRecord | undefined {
    const { user, serial } = this.caller as { readonly user?: Value; readonly serial?: Value };
    const known = this.#callerProfileId;
    // It is usually a login. Logins are looked up in any plan; an index of serials would be made for this alone.
    const own = known === undefined ? undefined : (this.profileWithLogin(known) ?? this.profile(known));
    if (own !== undefined) return own;
    for (const reference of [memberText(user, "id"), memberText(user, "serial"), serial]) {
      if (typeof reference !== "string") continue;
      const profile = this.profile(reference) ?? this.profileWithLogin(reference);
      if (profile !== undefined) return profile;
    }
    return undefined;
  }

  /** The account that the run acts in, where it is listed. */
  get callerAccount(): AccountRecord | undefined {
    const serial = memberText(this.caller.account, "serial");
    const name = memberText(this.caller.account, "name");
    if (typeof serial === "string") return this.account(serial);
    if (typeof name === "string") return this.accountNamed(name);
    const accountId = this.callerProfile?.account_id;
    return typeof accountId === "string" ? this.account(accountId) : undefined;
  }
}

const EMPTY_REGISTER = new Register([]);

function memberText(of: Value | undefined, name: string): Value | undefined {
  return isObject(of) ? of[name] : undefined;
}

/** True if a profile is the primary one of its account: by the account's word, or else by the login. */
export function isPrimary(profile: ProfileRecord, account: AccountRecord | undefined): boolean {
  if (account === undefined) return false;
  const id = account.admin_profile_id;
  if (typeof id === "string") return [profile.id, profile.serial, profile.uuid].includes(id);
  return typeof profile.login === "string" && profile.login === account.name;
}
