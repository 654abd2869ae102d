/** Finds accounts among the live records. */
import type { AccountRecord, ProfileRecord, UsageRecord } from "../../api";
import { type NaturalKey, type Owners, proofOf } from "../../ownership";
import { gone, notFound } from "../../problems";
import { readState } from "../../schema";
import { type Connection, doubtOfAccount, isPrimary, primaryOf, type Snapshot } from "../../service";
import { isInteger, normalForm, type ObjectValue } from "../../values";
import type {
  Container,
  Contents,
  Expectation,
  Inventory,
  OwnedObject,
  Records,
  LookupResult,
} from "../family";
import { idOf, type RecordKind, seek, sequenceOf, type Shelf, takeIn, text } from "../record";
import { keyOfRecord } from "../user-profile";
import { account, USAGE_COUNTERS } from "./description";

export const inventory: Inventory = {
  find: async (client, idOrSerial) => (await client.accounts.find(idOrSerial))?.record,
  listed: (idOrSerial, snapshot) => snapshot.account(idOrSerial),
  textOf: ({ names: [name = ""] }) => name,
  foreseen: (known) => known("name"),
  removedBy: "account",

  locate(config: ObjectValue, snapshot: Snapshot, owners: Owners | undefined): LookupResult {
    const name = config["name"];
    if (typeof name !== "string") return { kind: "unknown" };
    const wanted = { key: keyOf(name), text: name, uuid: text(config["uuid"]) };
    return seek(new AccountShelf(snapshot), wanted, owners);
  },

  locateById(idOrName: string, snapshot: Snapshot, owners: Owners | undefined): LookupResult {
    const known = snapshot.account(idOrName);
    const record = known ?? snapshot.accountNamed(idOrName);
    if (record === undefined) return { kind: "absent", key: undefined };
    const key = keyOf(record.name ?? "");
    return takeIn(new AccountShelf(snapshot), key, record, owners, known === undefined);
  },

  doubt: (_key, snapshot) => doubtOfAccount(snapshot),

  ours(snapshot: Snapshot, owners: Owners, isAsked = () => true): readonly OwnedObject[] {
    return snapshot.accounts.filter(isAsked).flatMap((record) => {
      const key = keyOf(record.name ?? "");
      const proof = proofOf(record.uuid ?? "", key, owners);
      return proof === undefined
        ? []
        : { records: { self: record, primary: primaryOf(record, snapshot) }, key, proof };
    });
  },

  stateOf: accountState,

  expectation({ self }: Records): Expectation {
    return { uuid: text(self["uuid"]), key: text(self["name"]), accountId: undefined, seq: sequenceOf(self) };
  },
};

/** State of an account and its primary user profile. */
export function accountState(records: Records, remembered: ObjectValue | null): ObjectValue {
  return readState(account.attributes, records, remembered);
}

export function keyOf(name: string): NaturalKey {
  return { kind: "account", names: [name] };
}

class AccountShelf implements Shelf<AccountRecord> {
  readonly noun = account.noun;

  constructor(private readonly snapshot: Snapshot) {}

  withUuid(uuid: string): AccountRecord | undefined {
    return this.snapshot.accountWithUuid(uuid);
  }

  ofFamily(family: string): readonly AccountRecord[] {
    return this.snapshot.accountsOfFamily(family);
  }

  withKey(name: string): AccountRecord | undefined {
    return this.snapshot.accountNamed(name);
  }

  keyOf({ name }: AccountRecord): string {
    return normalForm(name ?? "");
  }

  recordsOf(record: AccountRecord): Records {
    return { self: record, primary: primaryOf(record, this.snapshot) };
  }
}

// Whether an account may be deleted: it holds no storage, and no users that are not ours (design: Accounts).

/** These counters include users, also the primary one. The list of profiles tells whose the users are. */
const USER_COUNTERS: ReadonlySet<string> = new Set(["profile_num", "user_num"]);

/** An account and its primary user profile are made and deleted together. */
export const container: Container = {
  records: 2,
  async contentsOf(connection, id, snapshot) {
    const account = snapshot.account(id);
    return account && contentsOf(connection, account, snapshot.profilesOf(id));
  },
};

/** @param profiles every profile that the caller sees */
export async function contentsOf(
  { client, owners }: Connection,
  account: AccountRecord,
  profiles: readonly ProfileRecord[],
): Promise<Contents> {
  const users = profiles.filter(({ account_id: of }) => of === account.id);
  const usage = await usageOf(() => client.accounts.usage(idOf(account)));
  return {
    storage: holdings(usage, users.length),
    users: users
      .filter((user) => !isPrimary(user, account))
      .map((user) => ({
        id: idOf(user),
        login: text(user.login) ?? idOf(user),
        isOurs: isOurs(user, account, owners),
      })),
  };
}

async function usageOf(read: () => Promise<UsageRecord>): Promise<UsageRecord | undefined> {
  try {
    return await read();
  } catch (error) {
    if (notFound.is(error) || gone.is(error)) return undefined;
    throw error;
  }
}

function holdings(usage: UsageRecord | undefined, users: number): readonly string[] {
  if (usage === undefined) return ["its usage cannot be read"];
  return Object.keys(USAGE_COUNTERS).flatMap((name) => {
    const count = usage[name];
    if (!isInteger(count)) return [`its usage does not show ${name}`];
    const allowed = USER_COUNTERS.has(name) ? users : 0;
    return count <= allowed ? [] : [`${name} is ${count}`];
  });
}

function isOurs(user: ProfileRecord, account: AccountRecord, owners: Owners | undefined): boolean {
  return owners !== undefined && proofOf(user.uuid ?? "", keyOfRecord(user, account), owners) !== undefined;
}

export const kind: RecordKind<AccountRecord> = {
  description: account,
  inventory,
  members: ["id", "serial", "name", "admin_profile_id", "limits"],
  calls: (client) => client.accounts,
  withUuid: (snapshot, uuid) => snapshot.accountWithUuid(uuid),
};
