/** Makes the pictures of pages that the documentation shows, from real runs: `npx tsx .ci/picture.ts`. It needs Chromium (`node .ci/engines.mjs`). */
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Permissions } from "../src";
import { DiskBrowser } from "../test/support/browser";
import { type SimulatedProject, simulatedProject } from "../test/support/command";
import { findProgram } from "../test/support/programs";
import { reviewedPage } from "../test/support/reviewed-service";
import { exactly } from "../test/support/rights";
import { teamPages } from "./picture-team";

const PICTURES = join(__dirname, "..", "docs", "manual", "pictures");

async function main(): Promise<void> {
  const chromium = findProgram("chromium");
  if (chromium === undefined) throw new Error("There is no chromium: `node .ci/engines.mjs` installs it.");
  await mkdir(PICTURES, { recursive: true });
  const disk = await DiskBrowser.start(chromium);
  try {
    await takePicture(disk, "page.png", await pageAt(planPage));
    await takePicture(disk, "report.png", await pageAt((project) => reviewedPage(project, 8)));
    for (const [file, page] of Object.entries(await teamPages())) await takePicture(disk, file, page, 920);
  } finally {
    await disk.close();
  }
}

async function takePicture(disk: DiskBrowser, file: string, text: string, width = 1200): Promise<void> {
  const { page } = await disk.open(text, { width });
  await page.setViewport({ width, height: 100 });
  // Folded, so that the picture is no longer than it has to be.
  await page.evaluate("for (const one of document.querySelectorAll('#changes details')) one.open = false");
  await page.screenshot({ path: join(PICTURES, file), fullPage: true });
}

/** A page that a project of its own makes. */
async function pageAt(pageOf: (project: SimulatedProject) => Promise<string>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "picture-")));
  const project = await simulatedProject(folder);
  try {
    return (await pageOf(project)).replaceAll(project.service.baseUrl, "https://storage.example");
  } finally {
    await project.service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The page of a plan in which users come, change and go. */
async function planPage(project: SimulatedProject): Promise<string> {
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
  await run("apply", "platform", "--yes", "--init-store");
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

void main();
