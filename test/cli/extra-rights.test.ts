/** A right that this version does not know, as the people meet it who read, approve and review: never without its mark. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { NewerService } from "../support/agreement/newer-service";
import { commandProjects } from "../support/command";

const start = commandProjects();
const MARKED = "vss.fold_space (unknown right)";

test("plans, pages and approvals mark an unknown right, and it needs a pair of its own", async () => {
  const project = await start();
  const service = new NewerService(project.service);
  await project.declare({
    prod: {
      provider: { tenancy: [{ extra_rights: ["vss.fold_space"] }] },
      resource: {
        tenancy_account: { acme: { name: "acme", permissions: {} } },
        tenancy_user_profile: {
          jane: {
            username: "jane",
            account_id: "${tenancy_account.acme.id}",
            permissions: { "vss.fold_space": true, "vss.update_vss": true, "vss.format_disks": true },
          },
        },
      },
    },
  });
  const planned = await project.tenancy(
    "plan --html plan.html --markdown plan.md --out saved.plan".split(" "),
  );
  expect(planned).toMatchObject({ code: 0 });
  expect(planned.stdout).toContain(MARKED);
  const read = (path: string) => readFile(join(project.folder, path), "utf8");
  expect(await read("plan.md")).toContain("unknown right");
  expect(await read("plan.html")).toContain('<strong class="mark">?&nbsp;unknown right</strong>');

  const refused = await project.tenancy(["apply", "--yes", "--require-approval", "broadening"]);
  expect(refused).toMatchObject({ code: 3 });
  const lines = refused.stdout.match(/^ {2}- \{ user: jane@acme, permission: .*$/gm);
  expect(lines).toEqual([
    "  - { user: jane@acme, permission: vss.fold_space, until: never } # unknown right",
    "  - { user: jane@acme, permission: vss.format_disks, until: never } # destructive",
    "  - { user: jane@acme, permission: vss.update_vss, until: never }",
  ]);

  expect((await project.tenancy(["approve", "saved.plan", "--yes"])).code).toBe(0);
  const [file = ""] = await readdir(join(project.folder, "approvals"));
  const entry = await read(`approvals/${file}`);
  // A file may not hide the right among the ordinary ones.
  const joined = entry
    .replace(/.*# unknown right\n/, "")
    .replace("permission: vss.update_vss", "permissions: [vss.update_vss, vss.fold_space]");
  await project.write(`approvals/${file}`, joined);
  expect((await project.tenancy(["apply", "--yes", "--require-approval", "broadening"])).code).not.toBe(0);
  await project.write(`approvals/${file}`, entry);
  const applied = await project.tenancy(["apply", "--yes", "--require-approval", "broadening"]);
  expect(applied).toMatchObject({ code: 0 });
  expect(service.grants(project.service.records.profile("jane@acme").id)).toEqual(["vss.fold_space"]);

  const reported = await project.tenancy(["report"]);
  expect(reported.stdout).toContain("unknown right");
});
