/** Plans whose pages tests look at, and of which the documentation shows a picture. */
import type { Plan } from "../../src/plan";
import { ALL_RIGHTS, DEFAULT_RIGHTS } from "../../src/service";
import { PRESETS } from "../../src/resources";
import { change, plan } from "./plans";

const granted = (...rights: readonly string[]) => ({
  permissions: Object.fromEntries(rights.map((right) => [right, true])),
});

/** A user in the account acme. */
export const user = (username: string, facts: Partial<Parameters<typeof change>[0]> = {}) =>
  change({ kind: "user_profile", name: username, key: `${username}@acme`, ...facts });

const operator = { username: "jane", email: "j@old.example", level: 1, ...granted(...PRESETS.operator) };

/** A plan with something of every kind. */
export const samplePlan: Plan = plan(
  [
    change({
      kind: "account",
      name: "globex",
      after: {
        name: "globex",
        limits_vss_num: 20,
        limits_size_reserve_total: 4_000_000_000_000,
        comment: "new",
      },
      declared: new Set(["name", "limits_vss_num", "limits_size_reserve_total", "comment"]),
    }),
    change({
      kind: "account",
      name: "acme",
      before: { name: "acme", limits_vss_num: 10, limits_size_reserve_total: 8_000_000_000_000 },
      after: { name: "acme", limits_vss_num: 16, limits_size_reserve_total: 8_000_000_000_000 },
      declared: new Set(["name", "limits_vss_num", "limits_size_reserve_total", "permissions"]),
    }),
    user("jane", {
      before: operator,
      after: {
        ...operator,
        email: "jane@acme.example",
        level: 2,
        permissions: { ...operator.permissions, "vss.format_disks": true, "vss.resize_disks": false },
      },
    }),
    user("csi", { after: { username: "csi", ...granted("vss.manage_snapshots", "vss.backup_disks") } }),
    user("ops", { after: { username: "ops", ...granted("user.manage_users", "vss.manage_snapshots") } }),
    change({
      kind: "authorization",
      name: "csi_prod",
      key: "csi@acme/csi-prod",
      after: { name: "csi-prod" },
    }),
    ...["amy", "ben", "cleo", "dan"].map((one) =>
      user(one, { after: { username: one, access_web: true, ...granted("vss.manage_snapshots") } }),
    ),
    user("bob", { before: { username: "bob", ...granted("vss.manage_targets", "vss.remove_vss") } }),
    user("carol", { action: "none", before: operator, after: operator }),
  ],
  {
    usage: { "tenancy_account.acme": { limits_vss_num: 12, limits_size_reserve_total: 3_100_000_000_000 } },
    retained: [{ type: "tenancy_account", key: "initech", id: "account:1:9", reason: "no longer declared" }],
    unmanagedUsers: [
      {
        type: "tenancy_user_profile",
        key: "eve@acme",
        id: "1",
        origin: "https://storage.example",
        rights: DEFAULT_RIGHTS,
        preset: "account_admin",
        marks: ["destructive", "privileged"],
        active: true,
      },
    ],
    warnings: [
      {
        severity: "warning",
        code: "TENANCY_UNDECLARED_PERMISSIONS",
        summary: "globex is created without permissions",
        advice: "Declare them:\n  permissions: Permissions.operator()",
        address: "tenancy_account.globex",
      },
    ],
  },
);

/** Users who each have different rights, so that no two of them share a row. */
export function planOfUsers(count: number): Plan {
  return plan(
    Array.from({ length: count }, (_unused, index) =>
      user(`user-${index}`, {
        before: granted(...ALL_RIGHTS.filter((_right, place) => (index >> (place % 13)) % 2 === 0)),
        after: granted(...ALL_RIGHTS.filter((_right, place) => (index >> ((place * 5) % 13)) % 2 === 0)),
      }),
    ),
  );
}
