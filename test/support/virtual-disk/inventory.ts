import type { Client, CommonRecord } from "../../../src/api";
import { proofOf, type NaturalKey } from "../../../src/ownership";
import type { Inventory } from "../../../src/resources/family";
import type { Snapshot } from "../../../src/service/snapshot";
import { sequenceOf, text } from "../../../src/resources/record/kind";
import { seek, takeIn, type Shelf } from "../../../src/resources/record/match";
import { readState } from "../../../src/schema";
import { virtualDisk } from "./description";

export const disks = (client: Client) => client.records("vdisk", "virtual disk");

const listIn = (snapshot: Snapshot) => snapshot.listOf("virtual_disk");

export function keyOf(account: string, name: string): NaturalKey {
  return { kind: "virtual_disk", names: [account, name] };
}

function keyOfRecord(record: CommonRecord, snapshot: Snapshot): NaturalKey {
  const account = snapshot.account(text(record["account_id"]) ?? "")?.name ?? "";
  return keyOf(account, text(record["name"]) ?? "");
}

const textOf = ({ names }: NaturalKey): string => names.join(":");

/** Disks are found by `account:name`. */
function shelf(snapshot: Snapshot): Shelf<CommonRecord> {
  const records = listIn(snapshot);
  const keyOfDisk = (record: CommonRecord) => textOf(keyOfRecord(record, snapshot));
  return {
    noun: "virtual disk",
    withUuid: (uuid) => records.find("uuid", uuid),
    ofFamily: (family) => records.ofFamily(family),
    withKey: (key) => records.records.find((record) => keyOfDisk(record) === key),
    keyOf: keyOfDisk,
    recordsOf: (self) => ({ self }),
  };
}

export const inventory: Inventory = {
  list: (client) => disks(client).list(),
  find: async (client, idOrSerial) => (await disks(client).find(idOrSerial))?.record,
  listed: (idOrSerial, snapshot) => listIn(snapshot).findById(idOrSerial),
  textOf,
  foreseen: (known) => textOf(keyOf(known("account_id"), known("name"))),
  locate(config, snapshot, owners) {
    const { name, account_id: accountId } = config;
    if (typeof name !== "string" || typeof accountId !== "string") return { kind: "unknown" };
    const account = snapshot.account(accountId)?.name;
    if (typeof account !== "string") return { kind: "absent", key: undefined };
    const key = keyOf(account, name);
    return seek(shelf(snapshot), { key, text: textOf(key), uuid: text(config["uuid"]) }, owners);
  },
  locateById(id, snapshot, owners) {
    const record = listIn(snapshot).findById(id) ?? shelf(snapshot).withKey(id);
    if (record === undefined) return { kind: "absent", key: undefined };
    return takeIn(shelf(snapshot), keyOfRecord(record, snapshot), record, owners, false);
  },
  doubt: () => undefined,
  ours: (snapshot, owners, isAsked = () => true) =>
    listIn(snapshot)
      .records.filter(isAsked)
      .flatMap((self) => {
        const key = keyOfRecord(self, snapshot);
        const proof = proofOf(self.uuid ?? "", key, owners);
        return proof === undefined ? [] : { records: { self }, key, proof };
      }),
  stateOf: (records, remembered) => readState(virtualDisk.attributes, records, remembered),
  expectation: ({ self }) => ({
    uuid: text(self["uuid"]),
    key: undefined,
    accountId: text(self["account_id"]),
    seq: sequenceOf(self),
  }),
};
