/** A service that answers references by serial, under Terraform: covers src/api/references.ts. */
import { withEachEngine } from "../../support/terraform/engines";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine, { behaviors: ["referencesBySerial"] });
  });
  afterEach(() => workspace.close());

  test("users and tokens of a service that answers account_id as a serial are created, kept, changed, imported and destroyed", async () => {
    const { records } = workspace.simulator;
    const acme = (level: number, more = "") =>
      workspace.configure(`
        resource "tenancy_account" "acme" {
          name                = "acme"
          deletion_protection = false
        }
        resource "tenancy_user_profile" "jane" {
          username    = "jane"
          account_id  = tenancy_account.acme.id
          level       = ${level}
          password_wo = "correct horse"
          password_wo_version = "1"
          permissions = {}
        }
        resource "tenancy_authorization" "jane" {
          login       = tenancy_user_profile.jane.login
          name        = "ci"
          password_wo = "correct horse"
        }
        data "tenancy_user_profile" "jane" {
          id = tenancy_user_profile.jane.id
        }
        ${more}`);
    await acme(2);
    expect(await workspace.apply()).toContain("3 added, 0 changed, 0 destroyed");
    await workspace.expectNoChange();
    const { id } = records.account("acme");
    expect(await workspace.state("tenancy_user_profile.jane")).toMatchObject({ account_id: id });
    expect(await workspace.state("data.tenancy_user_profile.jane")).toMatchObject({ account_id: id });
    const user_id = records.profile("jane@acme").id;
    expect(await workspace.state("tenancy_authorization.jane")).toMatchObject({ user_id });
    expect(await workspace.state("tenancy_account.acme")).toMatchObject({
      admin_profile_id: records.profile("acme").id,
    });

    await acme(3);
    expect(await workspace.apply()).toContain("0 added, 1 changed, 0 destroyed");
    await workspace.expectNoChange();

    records.createProfile("acme", { username: "lara", permissions: {} });
    await acme(
      3,
      `import {
          to = tenancy_user_profile.lara
          id = "lara@acme"
        }
        resource "tenancy_user_profile" "lara" {
          username   = "lara"
          account_id = tenancy_account.acme.id
        }`,
    );
    expect(await workspace.apply()).toContain("1 imported, 0 added, 0 changed, 0 destroyed");
    await workspace.expectNoChange();
    expect(await workspace.destroy()).toContain("4 destroyed");
    expect(records.accounts).toHaveLength(1);
  });
});
