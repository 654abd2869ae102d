/** Finding records for the routes. */
import type { Caller } from "../access/caller";
import { sees } from "../access/visibility";
import type { Service } from "../service";
import type { Tombstone } from "../store/table";
import type { Call } from "./route";

/** Whether a list's filters, such as `?login=jane@acme`, let a record through. Filters that are not in `keys` are ignored. */
export function wants(service: Service, call: Call, keys: Readonly<Record<string, string>>): boolean {
  if (!service.settings.listFilters) return true;
  return Object.entries(keys).every(([name, value]) => {
    const wanted = call.query[name];
    return wanted === undefined || [wanted].flat().includes(value);
  });
}

/** "DELETE is idempotent: repeated attempts give the same result" (spec 4.1). */
export function isDeleted(
  caller: Caller,
  table: { findDeleted(ref: string): Tombstone | undefined },
  ref: string,
): boolean {
  const deleted = table.findDeleted(ref);
  return deleted !== undefined && sees(caller, deleted.account_id);
}
