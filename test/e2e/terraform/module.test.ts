/** The module among the examples, `examples/module`: by its own tests, and with a service. */
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { withEachEngine } from "../../support/terraform/engines";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

const MODULE = resolve(__dirname, "../../../examples/module");

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  test("the module passes its own tests, without a service", async () => {
    await cp(MODULE, workspace.engine.folder, { recursive: true });
    await workspace.succeed(["init"]);
    const before = workspace.simulator.records.accounts;
    const { code, stdout, stderr } = await workspace.run(["test"]);
    expect({ code, said: stdout + stderr }).toMatchObject({
      code: 0,
      said: expect.stringContaining("2 passed, 0 failed") as string,
    });
    expect(workspace.simulator.records.accounts).toEqual(before);
  });

  test("the module makes a tenant as its README has it, and takes away what an argument no longer says", async () => {
    const { records } = workspace.simulator;
    await cp(MODULE, join(workspace.engine.folder, "module"), { recursive: true });
    const acme = (more: string) =>
      workspace.configure(`
        module "acme" {
          source = "./module"
          name   = "acme"
          machines = {
            csi = { rights = ["vss.manage_snapshots"], tokens = { production = {} } }
          }
          deletion_protection = false
          ${more}
        }
        output "token" {
          value     = module.acme.tokens["csi/production"]
          sensitive = true
        }`);
    await acme(`
      contact   = { company = "Acme", email = "storage@acme.example" }
      quotas    = { storages = 20 }
      passwords = { jane = "a-password-of-hers" }
      people = {
        jane = {
          email            = "jane@acme.example"
          preset           = "operator"
          permissions      = { "vss.resize_disks" = false }
          password_version = 1
        }
      }`);
    await workspace.succeed(["init"]);
    expect(await workspace.apply()).toContain("4 added");
    await workspace.expectNoChange();
    expect(records.account("acme")).toMatchObject({ limits: { vss_num: 20 } });
    expect(records.profile("csi@acme").permissions.vss).toMatchObject({ rights: { manage_snapshots: true } });
    expect(records.profile("jane@acme")).toMatchObject({ email: "jane@acme.example" });
    expect(await workspace.succeed(["output", "-raw", "token"])).toMatch(/^1\//);

    await acme("people = { jane = {} }");
    expect(await workspace.apply()).toContain("0 added, 2 changed, 0 destroyed");
    await workspace.expectNoChange();
    expect(records.account("acme")).toMatchObject({ limits: { vss_num: null } });
    expect(records.profile("jane@acme").email).toBeNull();

    await workspace.destroy();
    expect(records.accounts.map(({ name }) => name)).toEqual(["system"]);
  });
});
