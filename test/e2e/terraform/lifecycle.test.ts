/** `enabled` and `destroy` in `lifecycle`: OpenTofu does as the embedded engine (test/engine/retention.test.ts, evaluation.test.ts), and Terraform as the guide says. */
import { describeWith } from "../../support/programs";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";
import { withNextTerraform } from "../../support/terraform/engines";

const ACME = `
  resource "tenancy_account" "acme" {
    name                = "acme"
    permissions         = {}
    deletion_protection = false
  }`;

const user = (lifecycle: string) => `
  resource "tenancy_user_profile" "jane" {
    account_id  = tenancy_account.acme.id
    username    = "jane"
    permissions = {}
    lifecycle { ${lifecycle} }
  }
  output "login" { value = try(tenancy_user_profile.jane.login, "none") }`;

let workspace: TenancyWorkspace;
afterEach(() => workspace.close());

const users = () =>
  workspace.simulator.records.profiles.map(({ login }) => login).filter((login) => login !== "system");
const apply = async (configuration: string) => {
  await workspace.configure(configuration);
  return workspace.apply();
};

describeWith(["tofu"], "with OpenTofu", ({ tofu }) => {
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create({
      name: "tofu",
      program: tofu,
      registry: "registry.opentofu.org",
    });
  });

  test("enabled gives an object, or none", async () => {
    expect(await apply(ACME + user("enabled = false"))).toContain('login = "none"');
    expect(users()).toEqual(["acme"]);
    expect(await apply(ACME + user("enabled = true"))).toContain('login = "jane@acme"');
    expect(users()).toEqual(["acme", "jane@acme"]);
    expect(await apply(ACME + user("enabled = 1 > 2"))).toContain("1 destroyed");
    expect(users()).toEqual(["acme"]);
  });

  test("an object with destroy = false stays after its declaration has gone", async () => {
    await apply(ACME + user("destroy = false"));
    expect(await apply(ACME)).toContain("0 destroyed");
    expect(users()).toEqual(["acme", "jane@acme"]);
  });
});

withNextTerraform((engine) => {
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });

  test("refuses enabled, and destroys an object with destroy = false once its declaration has gone", async () => {
    await workspace.configure(ACME + user("enabled = false"));
    expect(said(await workspace.run(["plan"]))).toContain("Unsupported argument");
    await apply(ACME + user("destroy = false"));
    expect(await apply(ACME)).toContain("1 destroyed");
    expect(users()).toEqual(["acme"]);
  });
});
