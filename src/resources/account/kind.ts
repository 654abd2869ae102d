import type { AccountRecord } from "../../api";
import type { RecordKind } from "../record/kind";
import { account } from "./description";
import { inventory } from "./inventory";

export const kind: RecordKind<AccountRecord> = {
  noun: "account",
  description: account,
  inventory,
  calls: (client) => client.accounts,
  withUuid: (snapshot, uuid) => snapshot.accountWithUuid(uuid),
};
