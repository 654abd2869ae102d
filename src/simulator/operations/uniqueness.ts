/** Names, logins and uuids belong to one record each. */
import { Refusal } from "../refusal";
import type { Service } from "../service";

/** @throws Refusal 409 (or 400, as the options say) */
export function requireFree(service: Service, kind: "account" | "user profile", key: string, uuid?: string) {
  const { accounts, profiles } = service.store;
  const taken =
    kind === "account" ? accounts.by("name", key) !== undefined : profiles.by("login", key) !== undefined;
  if (taken) throw duplicate(service, `${kind} ${key} exists already`);
  if (uuid === undefined) return;
  const table = kind === "account" ? accounts : profiles;
  const isLive = table.by("uuid", uuid.toLowerCase()) !== undefined;
  if (isLive || (!service.settings.reuseUuids && table.hadUuid(uuid)))
    throw duplicate(service, `uuid ${uuid} is taken`);
}

function duplicate(service: Service, message: string): Refusal {
  return new Refusal(service.settings.duplicateStatus, message, { type: "duplicate" });
}
