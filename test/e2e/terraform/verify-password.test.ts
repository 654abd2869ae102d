/** Declared passwords that are tried by a log-in under Terraform: covers src/resources/user-profile. */
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  const jane = (version: number) =>
    workspace.configure(`
      resource "tenancy_user_profile" "jane" {
        username            = "jane"
        password_wo         = "declared"
        password_wo_version = ${version}
        verify_password     = true
      }`);

  test("a declared password that is the user's no more is told of at plan, and sent with its next version", async () => {
    const { records } = workspace.simulator;
    await jane(1);
    await workspace.apply();
    expect(said(await workspace.run(["plan"]))).not.toContain("TENANCY_PASSWORD_REFUSED");
    const { login } = await workspace.state("tenancy_user_profile.jane");
    records.patchProfile(String(login), { password: "another" });
    const plan = said(await workspace.run(["plan"]));
    expect(plan).toContain("TENANCY_PASSWORD_REFUSED");
    expect(plan).toContain("Raise `password_wo_version`");
    await jane(2);
    await workspace.apply();
    expect(said(await workspace.run(["plan"]))).not.toContain("TENANCY_PASSWORD_REFUSED");
  });

  test("for a user who may not log in, the plan says nothing but that", async () => {
    await jane(1);
    await workspace.apply();
    const { login } = await workspace.state("tenancy_user_profile.jane");
    workspace.simulator.records.patchProfile(String(login), { activated: false });
    const plan = said(await workspace.run(["plan"]));
    expect(plan).toMatch(/TENANCY_PASSWORD_UNVERIFIED/);
    expect(plan).not.toContain("TENANCY_PASSWORD_REFUSED");
  });
});
