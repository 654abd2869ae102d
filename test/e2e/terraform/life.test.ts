import { engines } from "../../support/terraform/engines";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

describe.each(engines)("with $name", (engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  test("an account is created, changed in place and destroyed", async () => {
    await workspace.configure(`
      resource "tenancy_account" "acme" {
        name   = "acme"
        limits = { vss_num = 20 }
        deletion_protection = false
      }`);
    expect(await workspace.apply()).toContain("1 added, 0 changed, 0 destroyed");
    await workspace.expectNoChange();
    expect(workspace.simulator.records.account("acme").limits).toMatchObject({ vss_num: 20 });

    await workspace.configure(`
      resource "tenancy_account" "acme" {
        name   = "acme"
        limits = { size_reserve_total = 9007199254740993 }
        deletion_protection = false
      }`);
    expect(await workspace.apply()).toContain("0 added, 1 changed, 0 destroyed");
    await workspace.expectNoChange();
    expect(await workspace.destroy()).toContain("1 destroyed");
  });
});
