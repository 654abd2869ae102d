import type { AccountRecord } from "../../api";
import type { RecordKind } from "../record/kind";
import { account } from "./description";
import { inventory } from "./inventory";

export const kind: RecordKind<AccountRecord> = {
  description: account,
  inventory,
  members: ["id", "serial", "name", "admin_profile_id", "limits"],
  calls: (client) => client.accounts,
  withUuid: (snapshot, uuid) => snapshot.accountWithUuid(uuid),
};
