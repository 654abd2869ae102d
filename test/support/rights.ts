/** Rights as the service holds them. */
import type { Permissions } from "tenancy";
import { bodyOfRights } from "../../src/resources/permissions";
import { ALL_RIGHTS } from "../../src/service/rights";

/** The member of a record that grants these rights, and denies all others. */
export function exactly(permissions: Permissions): object {
  return bodyOfRights(Object.fromEntries(ALL_RIGHTS.map((right) => [right, permissions.allows(right)])));
}
