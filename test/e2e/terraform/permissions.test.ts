/** Rights, scopes and `unset` as Terraform and OpenTofu plan them (design: Managed attributes). */
import { NewerService } from "../../support/agreement/newer-service";
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

const DENIED = { manage_targets: false, update_vss: false };

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
    workspace.simulator.records.createAccount({ name: "acme", password: "secret" });
  });
  afterEach(() => workspace.close());

  const jane = (members: string, others = "") =>
    workspace.configure(`
      data "tenancy_account" "acme" {
        name = "acme"
      }
      resource "tenancy_user_profile" "jane" {
        username   = "jane"
        account_id = data.tenancy_account.acme.id
        ${members}
      }
      ${others}`);
  const rights = () => workspace.simulator.records.profile("jane@acme").permissions.vss.rights;
  const granted = () => Object.keys(rights()).filter((right) => rights()[right as never] === true);
  const grant = (right: string, value = true) => {
    const profile = workspace.simulator.records.profile("jane@acme");
    workspace.simulator.records.patchProfile("jane@acme", {
      permissions: {
        ...profile.permissions,
        vss: { ...profile.permissions.vss, rights: { ...profile.permissions.vss.rights, [right]: value } },
      },
    });
  };
  const plan = async () => said(await workspace.run(["plan", "-no-color"]));

  test("creating a user with one right prints at most 50 lines", async () => {
    await workspace.configure(`
      resource "tenancy_user_profile" "csi" {
        username    = "csi"
        account_id  = "${workspace.simulator.records.account("acme").id}"
        permissions = { "vss.manage_snapshots" = true }
      }`);
    const { stdout } = await workspace.run(["plan", "-no-color"]);
    expect(stdout).toContain('"vss.manage_snapshots" = true');
    expect(stdout.trim().split("\n").length).toBeLessThanOrEqual(50);
  });

  test("declared permissions are authoritative: a right that others grant is shown, and taken away", async () => {
    await jane(`permissions = { "vss.manage_targets" = true, "vss.update_vss" = false }`);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(granted()).toEqual(["manage_targets"]);

    grant("format_disks");
    const [change] = await workspace.plan();
    expect(change?.change.before?.["permissions"]).toEqual({
      "vss.manage_targets": true,
      "vss.update_vss": false,
      "vss.format_disks": true,
    });
    await workspace.apply();
    await workspace.expectNoChange();
    expect(granted()).toEqual(["manage_targets"]);
  });

  test("a false key that comes or goes shows once, and sends nothing", async () => {
    await jane(`permissions = { "vss.manage_targets" = true }`);
    await workspace.apply();
    const { seq } = workspace.simulator.records.profile("jane@acme");
    await jane(`permissions = { "vss.manage_targets" = true, "vss.update_vss" = false }`);
    expect(await workspace.apply()).toContain("1 changed");
    await workspace.expectNoChange();
    await jane(`permissions = { "vss.manage_targets" = true }`);
    expect(await workspace.apply()).toContain("1 changed");
    await workspace.expectNoChange();
    expect(workspace.simulator.records.profile("jane@acme").seq).toBe(seq);
  });

  test("rights that are kept are listed at every plan; becoming exact says which it takes away", async () => {
    await jane(`permissions = { "vss.manage_targets" = true }`);
    await workspace.apply();
    grant("format_disks");
    await jane(`
      permissions       = { "vss.manage_targets" = true }
      undeclared_rights = "keep"`);
    await workspace.apply();
    expect(granted().sort()).toEqual(["format_disks", "manage_targets"]);
    await workspace.expectNoChange();
    expect((await workspace.state("tenancy_user_profile.jane"))["permissions"]).toEqual({
      "vss.manage_targets": true,
    });
    expect(await plan()).toContain('"jane@acme" keeps destructive rights that are not declared');

    await jane(`permissions = { "vss.manage_targets" = true }`);
    const text = await plan();
    expect(text).toContain('"jane@acme" loses destructive rights that are not declared');
    expect(text).toContain("vss.format_disks");
    await workspace.apply();
    await workspace.expectNoChange();
    expect(granted()).toEqual(["manage_targets"]);
  });

  test("permissions that become authoritative take a right away that the schema does not know", async () => {
    const service = new NewerService(workspace.simulator);
    await jane(`
      permissions       = { "vss.manage_targets" = true }
      undeclared_rights = "keep"`);
    await workspace.apply();
    await workspace.expectNoChange();
    await jane(`permissions = { "vss.manage_targets" = true }`);
    expect(await plan()).toContain("future.read_minds");
    await workspace.apply();
    await workspace.expectNoChange();
    expect(service.grants(workspace.simulator.records.profile("jane@acme").id)).toEqual([]);
  });

  test("a key that leaves kept permissions stays granted, also after an import", async () => {
    await jane(`permissions = { "vss.manage_targets" = true, "vss.update_vss" = true }`);
    await workspace.apply();
    const { id } = workspace.simulator.records.profile("jane@acme");
    await workspace.succeed(["state", "rm", "tenancy_user_profile.jane"]);
    await jane(
      `
      permissions       = { "vss.manage_targets" = true }
      undeclared_rights = "keep"`,
      `import {
        to = tenancy_user_profile.jane
        id = "${id}"
      }`,
    );
    expect(await plan()).toContain('"jane@acme" keeps vss.update_vss.');
    expect(await workspace.apply()).toContain("1 imported, 0 added, 1 changed");
    await workspace.expectNoChange();
    expect(granted().sort()).toEqual(["manage_targets", "update_vss"]);
  });

  test("rights and scopes may be known only after apply", async () => {
    const unknown = (value: string) =>
      jane(
        `
        permissions = {
          "vss.manage_targets" = terraform_data.later.output == "yes"
          "vss.update_vss"     = true
        }
        vss_scope = [terraform_data.later.output]`,
        `resource "terraform_data" "later" {
          input            = "${value}"
          triggers_replace = "${value}"
        }`,
      );
    await unknown("yes");
    await workspace.apply();
    await workspace.expectNoChange();
    expect(rights()).toMatchObject({ manage_targets: true, update_vss: true });
    await unknown("no");
    await workspace.apply();
    await workspace.expectNoChange();
    expect(rights()).toMatchObject({ manage_targets: false, update_vss: true });
    expect(workspace.simulator.records.profile("jane@acme").permissions.vss).toMatchObject({
      all_account_scope: false,
      vsses: ["no"],
    });
  });

  test("scopes that are not declared are kept; a write sends flag and list", async () => {
    await jane(`
      permissions = { "vss.manage_targets" = true }
      vss_scope   = ["vss:1:7"]`);
    await workspace.apply();
    await workspace.expectNoChange();
    const scope = () => workspace.simulator.records.profile("jane@acme").permissions.vss;
    expect(scope()).toMatchObject({ all_account_scope: false, vsses: ["vss:1:7"] });
    await jane(`permissions = { "vss.manage_targets" = true }`);
    expect(await plan()).toContain('"vss_scope" is no longer declared, so its value stays');
    await workspace.expectNoChange();
    await jane(`
      permissions = { "vss.manage_targets" = true }
      vss_scope   = ["*"]`);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(scope()).toMatchObject({ all_account_scope: true, vsses: [] });
    expect((await workspace.state("tenancy_user_profile.jane"))["vss_scope"]).toEqual(["*"]);
  });

  test("a scope for everything stands alone", async () => {
    await jane(`vss_scope = ["*", "vss:1:7"]`);
    expect(said(await workspace.run(["validate", "-no-color"]))).toContain('"*" must be the only element');
  });

  test("a right of declared permissions can be left to others; of undeclared ones, the plan shows all that it takes away", async () => {
    const ignoring = (permissions: string) =>
      jane(`
        ${permissions}
        lifecycle {
          ignore_changes = [permissions["vss.format_disks"]]
        }`);
    await ignoring(`permissions = { "vss.manage_targets" = true }`);
    await workspace.apply();
    grant("format_disks");
    await workspace.expectNoChange();
    expect(granted().sort()).toEqual(["format_disks", "manage_targets"]);

    await ignoring("");
    grant("update_vss");
    const [change] = await workspace.plan();
    expect(change?.change.before?.["permissions"]).toMatchObject({ "vss.update_vss": true });
    expect(change?.change.after?.["permissions"]).toEqual({ "vss.format_disks": true });
  });

  test("a user whose permissions are not declared earns a warning at every plan", async () => {
    await jane("");
    expect(await plan()).toContain(
      '"jane" gets by the service\'s default 39 rights that no configuration declares',
    );
    await workspace.apply();
    expect(await plan()).toContain('"jane@acme" has 39 rights that no configuration declares');
  });

  test("permissions that are no longer declared stay, and the plan says so", async () => {
    await jane(`permissions = { "vss.manage_targets" = true }`);
    await workspace.apply();
    await jane("");
    await workspace.expectNoChange();
    expect(await plan()).toContain("A user has permissions that no configuration declares");
    expect(rights()).toMatchObject({ ...DENIED, manage_targets: true });
  });

  test("an attribute that is no longer declared gives a warning until the next apply that changes the object", async () => {
    const permissions = `permissions = { "vss.manage_targets" = true }`;
    await jane(`
      ${permissions}
      email = "jane@acme.example"
      xref  = "a"`);
    await workspace.apply();
    await jane(`
      ${permissions}
      xref = "a"`);
    const text = await plan();
    expect(text).toContain('"email" is no longer declared, so its value stays');
    expect(text).toContain('add "email" to `unset`');
    await workspace.expectNoChange();
    await jane(`
      ${permissions}
      xref = "b"`);
    await workspace.apply();
    expect(await plan()).not.toContain("no longer declared");
  });

  test("unset takes away what it names, or every nullable value that is not declared", async () => {
    const permissions = `permissions = { "vss.manage_targets" = true }`;
    await jane(`
      ${permissions}
      email = "jane@acme.example"
      sms   = "+491701234567"
      xref  = "a"`);
    await workspace.apply();
    await jane(`
      ${permissions}
      xref  = "a"
      unset = ["*"]`);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(workspace.simulator.records.profile("jane@acme")).toMatchObject({
      email: null,
      sms: null,
      xref: "a",
    });
    await jane(`
      ${permissions}
      xref  = "a"
      unset = ["xref"]`);
    expect(said(await workspace.run(["plan", "-no-color"]))).toContain('"xref" is both set and unset');
    await jane(`
      ${permissions}
      unset = ["xref"]
      lifecycle {
        ignore_changes = [xref]
      }`);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(workspace.simulator.records.profile("jane@acme")).toMatchObject({ xref: "a" });
  });

  test("what decides over what is taken away must be known while planning", async () => {
    await jane(
      `
      permissions = { "vss.manage_targets" = true }
      unset       = [terraform_data.later.output]`,
      `resource "terraform_data" "later" {
        input = "email"
      }`,
    );
    expect(await plan()).toContain("must be known while planning");
  });

  test("a misspelt right or quota is an error that suggests the right one", async () => {
    await jane(`permissions = { "vss.mange_snapshots" = true }`);
    const text = said(await workspace.run(["validate", "-no-color"]));
    expect(text).toContain('there is no right "vss.mange_snapshots"');
    expect(text).toContain('Did you mean "vss.manage_snapshots"?');
    await workspace.configure(`
      resource "tenancy_account" "x" {
        name           = "x"
        limits_vss_nun = 4
      }`);
    expect(said(await workspace.run(["validate", "-no-color"]))).toContain("limits_vss_num");
  });
});
