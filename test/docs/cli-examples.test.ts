/** The examples of docs/manual/reference/cli: what the command prints there is what it prints. */
import { commandProjects } from "../support/command";
import { blocksOf } from "../support/pages";

/** The first block of a verb's page that shows an answer. */
function example(verb: string): string {
  const block = blocksOf(`docs/manual/reference/cli/${verb}.md`).find(({ language }) => language === "");
  return block?.text ?? "";
}

const start = commandProjects();

/** As the page names the service and who asks. */
function asOnThePage(stdout: string, baseUrl: string): string {
  return stdout.replaceAll(baseUrl, "https://storage.example").trimEnd() + "\n";
}

const user = (name: string, more: object) => ({
  username: name,
  account_id: "${tenancy_account.acme.id}",
  permissions: {},
  ...more,
});

const stack = (vss: number) => ({
  provider: { tenancy: [{ owner: "acme-platform" }] },
  resource: {
    tenancy_account: { acme: { name: "acme", limits_vss_num: vss } },
    tenancy_user_profile: {
      acme_jane: user("jane", { email: "jane@acme.example" }),
      acme_bob: user("bob", {}),
    },
  },
});

test("the drift that the page shows is printed so", async () => {
  const project = await start();
  const { records, baseUrl } = project.service;
  await project.declare({ storage: stack(10) });
  expect(await project.tenancy(["apply", "--yes"])).toMatchObject({ code: 0 });
  records.patchProfile("jane@acme", {
    email: "j@old.example",
    level: 2,
    permissions: { vss: { rights: { format_disks: true } } },
  });
  records.deleteProfile("bob@acme");
  await project.declare({ storage: stack(20) });
  const { stdout } = await project.tenancy(["drift"]);
  expect(asOnThePage(stdout, baseUrl)).toBe(example("drift"));
});

test("the access review that the page shows is printed so", async () => {
  const project = await start();
  const { records, baseUrl } = project.service;
  await project.declare({
    storage: {
      resource: {
        tenancy_account: {
          acme: { name: "acme", limits_vss_num: 20, permissions: { "vss.manage_snapshots": true } },
        },
        tenancy_user_profile: {
          acme_jane: user("jane", {
            password_wo: "correct horse battery",
            password_wo_version: 1,
            permissions: { "vss.format_disks": true },
            vss_scope: ["vss:1:7"],
          }),
        },
      },
    },
  });
  expect(await project.tenancy(["apply", "--yes"])).toMatchObject({ code: 0 });
  records.createProfile("acme", { username: "bob" });
  records.patchProfile("bob@acme", { activated: false });
  const { stdout } = await project.tenancy(["report", "--account", "acme"]);
  expect(asOnThePage(stdout, baseUrl)).toBe(example("report"));
});
