import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Permissions } from "../../src";
import type { SimulatedProject } from "../../test/support/command";
import { exactly } from "../../test/support/rights";

/** The page of a report on two tenants: declared users and one made by hand, dangerous rights, and a quota that is nearly used up. */
export async function reportPage(project: SimulatedProject): Promise<string> {
  const snapshots = Permissions.none().allow("vss.manage_snapshots", "vss.backup_disks");
  const admin = Permissions.operator().allow("vss.format_disks", "user.manage_users");
  const users: Readonly<Record<string, Readonly<Record<string, Permissions>>>> = {
    acme: { jane: admin, csi: snapshots },
    globex: { backup: snapshots },
  };
  await project.declare({
    platform: {
      provider: { tenancy: [{}] },
      resource: {
        tenancy_account: Object.fromEntries(
          Object.keys(users).map((name) => [
            name,
            { name, limits_vss_num: 20, limits_size_reserve_total: 4_000_000_000_000, permissions: {} },
          ]),
        ),
        tenancy_user_profile: Object.fromEntries(
          Object.entries(users).flatMap(([account, permissionsOf]) =>
            Object.entries(permissionsOf).map(([username, permissions]) => [
              `${account}_${username}`,
              {
                account_id: `\${tenancy_account.${account}.id}`,
                username,
                permissions: permissions.toAttributes().permissions,
              },
            ]),
          ),
        ),
      },
    },
  });
  const run = async (...words: readonly string[]) => {
    const { code, stderr } = await project.tenancy(words);
    if (code === 1) throw new Error(stderr);
  };
  await run("apply", "platform", "--yes", "--init-state");
  const { records } = project.service;
  records.createProfile("acme", {
    username: "eve",
    ...exactly(Permissions.none().allow("vss.remove_vss", "vss.manage_targets")),
  });
  records.patchProfile("backup@globex", { activated: false });
  records.setUsage("acme", { vss_num: 19, size_reserve: 1_200_000_000_000 });
  records.setUsage("globex", { vss_num: 9, size_reserve: 3_000_000_000_000 });
  await run("report", "--usage", "--html", "report.html");
  return readFile(join(project.folder, "report.html"), "utf8");
}
