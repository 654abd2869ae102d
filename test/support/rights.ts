/** Rights as the service holds them. */
import type { Permissions } from "tenancy";
import { ALL_RIGHTS } from "../../src/service/rights";

/** The member of a record that grants these rights, and denies all others. */
export function exactly(permissions: Permissions): object {
  const groups: Record<string, { rights: Record<string, boolean> }> = {};
  for (const right of ALL_RIGHTS) {
    const [group = "", name = ""] = right.split(".");
    (groups[group] ??= { rights: {} }).rights[name] = permissions.allows(right);
  }
  return { permissions: groups };
}
