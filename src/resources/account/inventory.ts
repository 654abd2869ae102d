/** Accounts among the live records. */
import type { AccountRecord } from "../../api";
import { proofOf, type NaturalKey, type Owners } from "../../ownership";
import { readState } from "../../schema";
import type { ObjectValue } from "../../values";
import { doubtOfAccount, primaryOf, type Snapshot } from "../directory";
import type { Expectation, Inventory, OwnedObject, Records, Sought } from "../family";
import { seek, takeIn, type Shelf } from "../record/seek";
import { sequenceOf, text } from "../record/members";
import { account } from "./description";

export const inventory: Inventory = {
  locate(config: ObjectValue, snapshot: Snapshot, owners: Owners | undefined): Sought {
    const name = config["name"];
    if (typeof name !== "string") return { kind: "unknown" };
    const wanted = { key: keyOf(name), text: name, uuid: text(config["uuid"]) };
    return seek(shelfOf(snapshot), wanted, owners);
  },

  locateById(idOrName: string, snapshot: Snapshot, owners: Owners | undefined): Sought {
    const record = snapshot.account(idOrName) ?? snapshot.accountNamed(idOrName);
    if (record === undefined) return { kind: "absent", key: undefined };
    return takeIn(shelfOf(snapshot), keyOf(record.name ?? ""), record, owners);
  },

  doubt: (_key, snapshot) => doubtOfAccount(snapshot),

  ours(snapshot: Snapshot, owners: Owners): readonly OwnedObject[] {
    return snapshot.accounts.flatMap((record) => {
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
  return { kind: "account", account: name };
}

function shelfOf(snapshot: Snapshot): Shelf<AccountRecord> {
  return {
    noun: "account",
    withUuid: (uuid) => snapshot.accountWithUuid(uuid),
    ofFamily: (family) => snapshot.accountsOfFamily(family),
    withKey: (name) => snapshot.accountNamed(name),
    keyOf: ({ name }) => (name ?? "").normalize("NFC"),
    recordsOf: (record) => ({ self: record, primary: primaryOf(record, snapshot) }),
  };
}
