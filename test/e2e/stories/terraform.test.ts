/** The story of Terraform: the built plugin, installed by the command, from `terraform init` to `terraform destroy`. */
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { built, tenancy } from "../../support/built-command";
import { describeWith } from "../../support/programs";
import { TerraformWorkspace } from "../../support/terraform/workspace";

describeWith(["terraform"], "with Terraform", ({ terraform }) => {
  let service: Simulator;
  let workspace: TerraformWorkspace;
  beforeAll(built);
  beforeEach(async () => {
    service = await startSimulator();
    workspace = await TerraformWorkspace.create(terraform);
  });
  afterEach(async () => {
    await workspace.remove();
    await service.close();
  });

  test("an account with a user and a token is planned, applied, planned again, and destroyed", async () => {
    const environment = { HOME: workspace.home };
    const installed = await tenancy(["plugin", "install"], { folder: workspace.folder, environment });
    expect(installed).toMatchObject({ code: 0 });
    await workspace.configure(`
      terraform {
        required_providers {
          tenancy = { source = "tenancy/tenancy" }
        }
      }
      provider "tenancy" {
        base_url = "${service.baseUrl}"
        username = "${service.username}"
        password = "${service.password}"
        owner    = "acme-platform"
      }
      resource "tenancy_account" "acme" {
        name                = "acme"
        limits_vss_num      = 20
        deletion_protection = false
      }
      resource "tenancy_user_profile" "jane" {
        username    = "jane"
        account_id  = tenancy_account.acme.id
        permissions = { "vss.manage_snapshots" = true }
      }
      resource "tenancy_authorization" "own" {
        name = "own"
      }`);
    await workspace.succeed(["init"]);
    expect(await workspace.succeed(["plan"])).toContain("3 to add, 0 to change, 0 to destroy");
    expect(await workspace.succeed(["apply", "-auto-approve"])).toContain("3 added");
    expect(service.records.profile("jane@acme").permissions.vss.rights.manage_snapshots).toBe(true);
    await workspace.succeed(["plan", "-detailed-exitcode"]);
    expect(await workspace.succeed(["destroy", "-auto-approve"])).toContain("3 destroyed");
    expect(service.records.accounts.map(({ name }) => name)).toEqual(["system"]);
  });
});
