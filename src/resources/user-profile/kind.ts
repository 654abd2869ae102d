import type { ProfileRecord } from "../../api";
import type { RecordKind } from "../record/kind";
import { userProfile } from "./description";
import { inventory } from "./inventory";

export const kind: RecordKind<ProfileRecord> = {
  description: userProfile,
  inventory,
  members: ["id", "serial", "login", "permissions"],
  calls: (client) => client.profiles,
  withUuid: (snapshot, uuid) => snapshot.profileWithUuid(uuid),
};
