/** Finds user profiles among the live records. */
import type { AccountRecord, ProfileRecord } from "../../api";
import { type NaturalKey, type Owners, proofOf } from "../../ownership";
import { primaryProfile } from "../../problems";
import { readState } from "../../schema";
import { doubtOfProfile, isPrimary, type Snapshot } from "../../service";
import { isUnknown, normalForm, type ObjectValue } from "../../values";
import type { Expectation, Inventory, OwnedObject, Records, LookupResult } from "../family";
import { type RecordKind, seek, sequenceOf, type Shelf, takeIn, text } from "../record";
import { accountOf, loginOf, usernameOf, userProfile } from "./description";

export const inventory: Inventory = {
  find: async (client, idOrSerial) => (await client.profiles.find(idOrSerial))?.record,
  listed: (idOrSerial, snapshot) => snapshot.profile(idOrSerial),
  textOf: ({ names: [account = "", username = ""] }) => loginOf(username, account),
  foreseen: (known) => loginOf(known("username"), known("account_id")),
  removedBy: "login",

  locate(config: ObjectValue, snapshot: Snapshot, owners: Owners | undefined): LookupResult {
    const username = config["username"];
    const accountId = config["account_id"] ?? null;
    if (typeof username !== "string" || isUnknown(accountId)) return { kind: "unknown" };
    const account = typeof accountId === "string" ? snapshot.account(accountId) : snapshot.callerAccount;
    if (typeof account?.name !== "string") return { kind: "absent", key: undefined };
    const name = normalForm(account.name);
    const login = loginOf(username, name);
    if (isTheAccounts(username, login, name, snapshot))
      return { kind: "refused", error: primaryProfile.error(name) };
    const wanted = { key: keyOf(name, username), text: login, uuid: text(config["uuid"]) };
    return withoutPrimary(seek(new ProfileShelf(snapshot), wanted, owners), account);
  },

  locateById(idOrLogin: string, snapshot: Snapshot, owners: Owners | undefined): LookupResult {
    const known = snapshot.profile(idOrLogin);
    const record = known ?? snapshot.profileWithLogin(idOrLogin);
    if (record === undefined) return { kind: "absent", key: undefined };
    const account = snapshot.account(record.account_id ?? "");
    const key = keyOfRecord(record, account);
    const lookup = takeIn(new ProfileShelf(snapshot), key, record, owners, known === undefined);
    return isPrimary(record, account)
      ? { kind: "refused", error: primaryProfile.error(record.login ?? idOrLogin) }
      : lookup;
  },

  doubt: (key, snapshot) => doubtOfProfile(key?.names[0], snapshot),

  ours(snapshot: Snapshot, owners: Owners, isAsked = () => true): readonly OwnedObject[] {
    return snapshot.profiles.filter(isAsked).flatMap((record) => {
      const account = snapshot.account(record.account_id ?? "");
      if (isPrimary(record, account)) return [];
      const key = keyOfRecord(record, account);
      const proof = proofOf(record.uuid ?? "", key, owners);
      return proof === undefined ? [] : { records: { self: record }, key, proof };
    });
  },

  stateOf: profileState,

  expectation({ self }: Records): Expectation {
    return {
      uuid: text(self["uuid"]),
      key: text(self["login"]),
      accountId: text(self["account_id"]),
      seq: sequenceOf(self),
    };
  },
};

/** State of a user profile. */
export function profileState(records: Records, remembered: ObjectValue | null): ObjectValue {
  return readState(userProfile.attributes, records, remembered);
}

export function keyOf(account: string, username: string): NaturalKey {
  return { kind: "user_profile", names: [account, username] };
}

/** The natural key of a live profile: its account's name as listed, or else as its login has it. */
export function keyOfRecord(record: ProfileRecord, account: AccountRecord | undefined): NaturalKey {
  const login = record.login ?? "";
  const name = account?.name ?? accountOf(login);
  const ending = `@${name}`;
  return keyOf(name, login.endsWith(ending) ? login.slice(0, -ending.length) : usernameOf(login));
}

/** A declared user with the account's own name is the primary one, unless such a user is live. */
function isTheAccounts(username: string, login: string, account: string, snapshot: Snapshot): boolean {
  return username === account && snapshot.profileWithLogin(login) === undefined;
}

function withoutPrimary(lookup: LookupResult, account: AccountRecord): LookupResult {
  if (lookup.kind !== "live" || !isPrimary(lookup.records.self, account)) return lookup;
  return { kind: "refused", error: primaryProfile.error(text(lookup.records.self["login"]) ?? "") };
}

class ProfileShelf implements Shelf<ProfileRecord> {
  readonly noun = userProfile.noun;

  constructor(private readonly snapshot: Snapshot) {}

  withUuid(uuid: string): ProfileRecord | undefined {
    return this.snapshot.profileWithUuid(uuid);
  }

  ofFamily(family: string): readonly ProfileRecord[] {
    return this.snapshot.profilesOfFamily(family);
  }

  withKey(login: string): ProfileRecord | undefined {
    return this.snapshot.profileWithLogin(login);
  }

  keyOf({ login }: ProfileRecord): string {
    return normalForm(login ?? "");
  }

  recordsOf(record: ProfileRecord): Records {
    return { self: record };
  }
}

export const kind: RecordKind<ProfileRecord> = {
  description: userProfile,
  inventory,
  members: ["id", "serial", "login", "permissions"],
  calls: (client) => client.profiles,
  withUuid: (snapshot, uuid) => snapshot.profileWithUuid(uuid),
};
