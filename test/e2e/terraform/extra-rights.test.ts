/** Rights that the service has and this version does not know, as Terraform and OpenTofu plan them (`extra_rights`). */
import { NewerService } from "../../support/agreement/newer-service";
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  const jane = `
    variable "extra" {
      type    = set(string)
      default = ["vss.fold_space"]
    }
    data "tenancy_account" "acme" {
      name = "acme"
    }
    resource "tenancy_user_profile" "jane" {
      username    = "jane"
      account_id  = data.tenancy_account.acme.id
      permissions = provider::tenancy::permissions_preset("observer", { "vss.fold_space" = true })
    }`;

  test.each([
    ["written out", `extra_rights = ["vss.fold_space"]`],
    ["from a variable, which validate does not know", "extra_rights = var.extra"],
  ])("a right that the provider names is granted and stays: %s", async (_, provider) => {
    const workspace = await TenancyWorkspace.create(engine, { provider });
    try {
      workspace.simulator.records.createAccount({ name: "acme", password: "secret" });
      const service = new NewerService(workspace.simulator);
      await workspace.configure(jane);
      await workspace.succeed(["validate"]);
      await workspace.apply();
      await workspace.expectNoChange();
      const { id } = workspace.simulator.records.profile("jane@acme");
      expect(service.grants(id)).toEqual(["vss.fold_space"]);
      service.take(id, "vss.fold_space");
      await workspace.apply();
      expect(service.grants(id)).toEqual(["vss.fold_space"]);
    } finally {
      await workspace.close();
    }
  });

  test("a right that the provider does not name is refused by validate", async () => {
    const workspace = await TenancyWorkspace.create(engine);
    try {
      await workspace.configure(jane);
      const text = said(await workspace.run(["validate"]));
      expect(text).toContain('there is no right "vss.fold_space"');
      expect(text).toContain("`extra_rights` of the provider");
    } finally {
      await workspace.close();
    }
  });
});
