/** Accounts among the live records. */
import type { AccountRecord } from "../../api";
import { proofOf, type NaturalKey, type Owners } from "../../ownership";
import { readState } from "../../schema";
import { normalForm, type ObjectValue } from "../../values";
import { doubtOfAccount, primaryOf, type Snapshot } from "../directory";
import type { Expectation, Inventory, OwnedObject, Records, Sought } from "../family";
import { seek, takeIn, type Shelf } from "../record/seek";
import { sequenceOf, text } from "../record/members";
import { account } from "./description";

export const inventory: Inventory = {
  find: async (client, idOrSerial) => (await client.accounts.find(idOrSerial))?.record,
  listed: (idOrSerial, snapshot) => snapshot.account(idOrSerial),
  textOf: ({ names: [name = ""] }) => name,
  foreseen: (known) => known("name"),
  removedBy: "account",

  locate(config: ObjectValue, snapshot: Snapshot, owners: Owners | undefined): Sought {
    const name = config["name"];
    if (typeof name !== "string") return { kind: "unknown" };
    const wanted = { key: keyOf(name), text: name, uuid: text(config["uuid"]) };
    return seek(new AccountShelf(snapshot), wanted, owners);
  },

  locateById(idOrName: string, snapshot: Snapshot, owners: Owners | undefined): Sought {
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
