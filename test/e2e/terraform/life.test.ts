/** Accounts, users and tokens from their creation to their end under Terraform: covers src/provider/apply.ts, resource.ts and index.ts. */
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  test("a primary user profile that somebody changed after the plan is left alone; one that only looks changed is not", async () => {
    const { records } = workspace.simulator;
    const acme = (level: number, right: boolean) =>
      workspace.configure(`
        resource "tenancy_account" "acme" {
          name        = "acme"
          level       = ${level}
          permissions = { "vss.manage_snapshots" = ${right} }
        }`);
    await acme(3, false);
    await workspace.apply();

    await acme(4, false);
    await workspace.plan();
    records.patchProfile("acme", { level: 1 });
    expect(said(await workspace.run(["apply", "planned"]))).toContain("TENANCY_PLAN_OUTDATED");
    expect(records.profile("acme").level).toBe(1);
    records.patchProfile("acme", { level: 3 });

    await acme(3, true);
    await workspace.plan();
    records.patchProfile("acme", { access: { api: false } });
    expect(said(await workspace.run(["apply", "planned"]))).toContain("TENANCY_PLAN_OUTDATED");
    expect(records.profile("acme").permissions.vss.rights.manage_snapshots).not.toBe(true);

    await workspace.plan();
    records.patchProfile("acme", { level: 1 });
    records.patchProfile("acme", { level: 3 });
    await workspace.succeed(["apply", "planned"]);
    expect(records.profile("acme").permissions.vss.rights.manage_snapshots).toBe(true);
    await workspace.expectNoChange();
  });

  test("an account is created, changed in place, made anew when it disappears, and destroyed", async () => {
    const { records } = workspace.simulator;
    await workspace.configure(`
      resource "tenancy_account" "acme" {
        name                = "acme"
        limits_vss_num = 20
        level               = 5
        deletion_protection = false
      }`);
    expect(await workspace.apply()).toContain("1 added, 0 changed, 0 destroyed");
    await workspace.expectNoChange();
    expect(records.account("acme").limits).toMatchObject({ vss_num: 20 });
    const { uuid } = await workspace.state("tenancy_account.acme");
    expect(uuid).toBe(records.account("acme").uuid);

    await workspace.configure(`
      resource "tenancy_account" "acme" {
        name                = "acme"
        limits_size_reserve_total = 5
        level               = 6
        unset               = ["limits_vss_num"]
        primary_contact     = { first_name = "Ann", phone = "+49 1", address = { city = "Berlin" } }
        permissions         = { "vss.manage_targets" = true }
        deletion_protection = false
      }`);
    expect(await workspace.apply()).toContain("0 added, 1 changed, 0 destroyed");
    await workspace.expectNoChange();
    expect(records.account("acme")).toMatchObject({
      limits: { vss_num: null, size_reserve_total: 5 },
      primary_contact: { first_name: "Ann", phone: { number: "+49 1" } },
    });
    expect(records.profile("acme")).toMatchObject({ level: 6 });

    records.deleteAccount("acme");
    const [change] = await workspace.plan();
    expect(change).toMatchObject({ address: "tenancy_account.acme", change: { actions: ["create"] } });
    expect(await workspace.apply()).toContain("1 added, 0 changed, 0 destroyed");
    await workspace.expectNoChange();
    expect(await workspace.destroy()).toContain("1 destroyed");
    expect(records.accounts).toHaveLength(1);
  });

  test("a user profile is created, changed in place, made anew when it disappears, and destroyed", async () => {
    const { records } = workspace.simulator;
    records.createAccount({ name: "acme", password: "secret" });
    const user = (members: string) =>
      workspace.configure(`
        data "tenancy_account" "acme" {
          name = "acme"
        }
        resource "tenancy_user_profile" "jane" {
          username   = "jane"
          account_id = data.tenancy_account.acme.id
          ${members}
        }`);
    await user(`
      email       = "jane@acme.example"
      sms         = "+491701234567"
      permissions = { "vss.manage_targets" = true }`);
    expect(await workspace.apply()).toContain("1 added, 0 changed, 0 destroyed");
    await workspace.expectNoChange();
    expect(records.profile("jane@acme").permissions.vss.rights).toMatchObject({
      manage_targets: true,
      update_vss: false,
    });

    await user(`
      unset       = ["email"]
      sms         = "+491701234568"
      permissions = { "vss.update_vss" = true }`);
    expect(await workspace.apply()).toContain("0 added, 1 changed, 0 destroyed");
    await workspace.expectNoChange();
    expect(records.profile("jane@acme")).toMatchObject({
      email: null,
      sms: { number: "+491701234568" },
      permissions: { vss: { rights: { manage_targets: false, update_vss: true } } },
    });

    records.deleteProfile("jane@acme");
    expect(await workspace.plan()).toMatchObject([{ change: { actions: ["create"] } }]);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(await workspace.destroy()).toContain("1 destroyed");
    expect(records.profiles.map(({ login }) => login)).toEqual(["system", "acme"]);
  });

  test("a token is created, rotated in place with overlap, created again when it disappears, and revoked", async () => {
    const { records } = workspace.simulator;
    const token = (members: string) =>
      workspace.configure(`
        resource "tenancy_authorization" "csi" {
          name = "csi"
          ${members}
        }`);
    await token(`keepers = { year = "2024" }`);
    await workspace.apply();
    await workspace.expectNoChange();
    const first = await workspace.state("tenancy_authorization.csi");

    await token(`keepers = { year = "2025" }`);
    expect(await workspace.plan()).toMatchObject([{ change: { actions: ["update"] } }]);
    await workspace.apply();
    await workspace.expectNoChange();
    const second = await workspace.state("tenancy_authorization.csi");
    expect(second["serial"]).not.toBe(first["serial"]);
    expect(second["previous"]).toMatchObject([{ serial: first["serial"] }]);
    expect(records.authorizations).toHaveLength(2);

    await token(`
      keepers             = { year = "2025" }
      retain_previous_for = "0s"`);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(records.authorizations.map(({ serial }) => serial)).toEqual([second["serial"]]);

    records.revokeToken(String(second["serial"]));
    expect(await workspace.plan()).toMatchObject([{ change: { actions: ["create"] } }]);
    await workspace.apply();
    await workspace.destroy();
    expect(records.authorizations).toEqual([]);
  });
});
