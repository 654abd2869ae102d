/** A service of which a report has a lot to say: accounts of a project, and many users that somebody made by hand. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Permissions, type Right } from "../../src";
import { accounts, type SimulatedProject } from "./command";
import { exactly } from "./rights";

const ACCOUNTS = ["acme", "globex", "hooli", "initech", "stark-industries", "umbrella"] as const;
const NAMES = ["amelia.hartmann", "backup", "csi", "dana", "eve", "karim", "li.wei", "ops"] as const;
const RIGHTS: readonly (readonly Right[])[] = [
  ["vss.format_disks", "vss.manage_snapshots"],
  ["vss.manage_snapshots", "vss.backup_disks"],
  ["user.manage_users", "user.reset_user_password"],
  ["vss.remove_vss", "vss.update_vss", "vss.manage_targets", "account.view_events"],
];

/**
 * Applies the accounts, and makes as many users in each by hand.
 * @param usersOfEach number of users in each account
 * @returns the page of the report
 */
export async function reviewedPage(project: SimulatedProject, usersOfEach: number): Promise<string> {
  const { records } = project.service;
  await project.declare({ platform: accounts(...ACCOUNTS) });
  const applied = await project.tenancy(["apply", "platform", "--yes", "--init-state"]);
  if (applied.code !== 0) throw new Error(applied.stderr);
  for (const [place, account] of ACCOUNTS.entries()) {
    if (place > 1) {
      records.patchAccount(account, {
        limits: { vss_num: 10 * place, size_reserve_total: 4_000_000_000_000 },
      });
      records.setUsage(account, { vss_num: 9 * place + 1, size_reserve: 600_000_000_000 * place });
    }
    for (let index = 0; index < usersOfEach; index++) {
      const rights = RIGHTS[(index + place) % RIGHTS.length] ?? [];
      const username = `${NAMES[index % NAMES.length] ?? ""}${index < NAMES.length ? "" : `-${index}`}`;
      records.createProfile(account, { username, ...exactly(Permissions.none().allow(...rights)) });
      if (index % 9 === 5) records.patchProfile(`${username}@${account}`, { activated: false });
    }
  }
  const { code, stderr } = await project.tenancy(["report", "--usage", "--html", "review.html"]);
  if (code !== 0) throw new Error(stderr);
  return readFile(join(project.folder, "review.html"), "utf8");
}
