import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Permissions } from "../../src";
import type { SimulatedProject } from "../../test/support/command";
import { exactly } from "../../test/support/rights";

/** The page of a plan in which users come, change and go. */
export async function planPage(project: SimulatedProject): Promise<string> {
  const rights = (permissions: Permissions) => permissions.toAttributes().permissions;
  const operator = Permissions.operator();
  const user = (username: string, facts: object) => ({
    account_id: "${tenancy_account.acme.id}",
    username,
    ...facts,
  });
  const stackOf = (vssNum: number, users: Readonly<Record<string, object>>, others: object = {}) => ({
    platform: {
      provider: { tenancy: [{}] },
      resource: {
        tenancy_account: {
          acme: { name: "acme", limits_vss_num: vssNum, permissions: rights(operator) },
          ...others,
        },
        tenancy_user_profile: Object.fromEntries(
          Object.entries(users).map(([name, facts]) => [name, user(name, facts)]),
        ),
      },
    },
  });
  const snapshots = Permissions.none().allow("vss.manage_snapshots", "vss.backup_disks");
  const run = async (...words: readonly string[]) => {
    const { code, stderr } = await project.tenancy(words);
    if (code === 1) throw new Error(stderr);
  };
  await project.declare(
    stackOf(10, {
      jane: { email: "jane@old.example", level: 1, permissions: rights(operator) },
      bob: { permissions: rights(snapshots.allow("vss.remove_vss")) },
      carol: { permissions: rights(operator) },
    }),
  );
  await run("apply", "platform", "--yes", "--init-state");
  project.service.records.createProfile("acme", { username: "eve", ...exactly(snapshots) });
  await project.declare(
    stackOf(
      16,
      {
        jane: {
          email: "jane@acme.example",
          level: 2,
          permissions: rights(operator.deny("vss.resize_disks").allow("vss.format_disks")),
        },
        carol: { permissions: rights(operator) },
        ops: { permissions: rights(Permissions.none().allow("user.manage_users", "vss.manage_snapshots")) },
        csi: { access_api: true, permissions: rights(snapshots) },
      },
      { globex: { name: "globex", limits_vss_num: 20, limits_size_reserve_total: 4_000_000_000_000 } },
    ),
  );
  await run("plan", "platform", "--html", "plan.html");
  return readFile(join(project.folder, "plan.html"), "utf8");
}
