/** The JSON of a plan, read by a library of Terraform's makers: covers src/render/json. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { accounts, commandProjects } from "../../support/command";
import { built, run, tenancy } from "../../support/built-command";
import { goEnvironment } from "../../support/go";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";

beforeAll(built);
const start = commandProjects();
const folder = temporaryFolder();

describeWith(["go"], "with Go", ({ go }) => {
  /** What the reader understands of a plan, in lines. */
  async function understood(document: string): Promise<readonly string[]> {
    await cp(join(__dirname, "terraform-json"), folder(), { recursive: true });
    const compiled = await run(go, ["build", "-o", "reader", "."], {
      folder: folder(),
      environment: goEnvironment(),
    });
    if (compiled.code !== 0) throw new Error(compiled.stderr);
    const read = await run("sh", ["-c", `./reader <<'END'\n${document}\nEND`], { folder: folder() });
    if (read.code !== 0) throw new Error(read.stderr);
    return read.stdout.trim().split("\n").sort();
  }

  test("a plan is read by the library that Terraform's own tools use", async () => {
    const project = await start();
    const { folder: projectFolder, environment } = project;
    await project.declare({ prod: accounts("acme") });
    expect((await tenancy(["apply", "--yes"], { folder: projectFolder, environment })).code).toBe(0);
    const eu = { for_each: { eu: "globex" }, name: "${each.value}" };
    await project.declare({
      prod: {
        provider: { tenancy: [{}] },
        resource: { tenancy_account: { globex: eu } },
        output: { id: { value: '${tenancy_account.globex["eu"].id}' } },
      },
    });
    const { stdout, stderr } = await tenancy(
      ["plan", "--json", "--allow-account-deletion", "--max-deletes", "5"],
      {
        folder: projectFolder,
        environment,
      },
    );
    expect(stderr).not.toContain("Error");
    expect(await understood(stdout)).toEqual([
      'change tenancy_account.globex["eu"] tenancy_account globex eu [create] ',
      'change tenancy_account.undeclared["acme"] tenancy_account undeclared acme [delete] delete_because_no_resource_config',
      "configured tenancy_account.globex tenancy",
      "format 1.2 complete true",
      "output id [update] true",
      'planned tenancy_account.globex["eu"] globex',
      'prior tenancy_account.undeclared["acme"] acme',
      "provider tenancy registry.terraform.io/tenancy/tenancy",
    ]);
  });
});
