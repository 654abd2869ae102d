/** Warnings that Terraform and OpenTofu show: covers src/provider and src/lib/plugin-runtime/calls/rpc.ts. */
import { withEachEngine } from "../../support/terraform/engines";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  /** The output on one line each, as it would be without borders and line breaks. */
  const said = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await workspace.run(args);
    return (stdout + stderr).replace(/[│╷╵\s]+/g, " ");
  };
  const count = (text: string, piece: string) => text.split(piece).length - 1;

  test("a write-only value without a version is a warning of validate and of plan", async () => {
    const title = "A write-only value has no version, so a changed value is not sent";
    const user = (version: string) => `
      resource "tenancy_user_profile" "jane" {
        username    = "jane"
        permissions = {}
        password_wo = "secret"
        ${version}
      }`;
    await workspace.configure(user(""));
    for (const command of ["validate", "plan"]) {
      const text = await said(command);
      expect(text).toContain(title);
      expect(text).toContain("Declare `password_wo_version`");
    }
    await workspace.configure(user("password_wo_version = 1"));
    expect(await said("validate")).not.toContain(title);
    expect(await said("plan")).not.toContain(title);
  });

  test("a user without account_id is planned in the caller's account, by its id and with a warning", async () => {
    await workspace.configure(`
      resource "tenancy_user_profile" "jane" {
        username    = "jane"
        permissions = {}
      }
      output "account" { value = tenancy_user_profile.jane.account_id }`);
    const [change] = await workspace.plan();
    const caller = workspace.simulator.records.accounts[0];
    expect(change?.change.after).toMatchObject({ account_id: caller?.id });
    const text = await said("plan");
    expect(text).toContain("An object without account_id is created in the caller's own account");
    expect(text).toContain(`the caller's own account ${JSON.stringify(caller?.name)} (${caller?.id})`);
    await workspace.apply();
    const posted = workspace.simulator.requests.find(
      ({ method, path }) => `${method} ${path}` === "POST /api/user-profile",
    );
    expect(posted?.body).not.toHaveProperty("account_id");
    await workspace.expectNoChange();
    expect(await said("plan")).not.toContain("the caller's own account");
  });

  test("a caller who may not manage accounts gets no warning of its own account", async () => {
    workspace.simulator.records.createAccount({ name: "acme", password: "acme-password" });
    await workspace.engine.configure(`
      terraform {
        required_providers {
          tenancy = { source = "tenancy/tenancy" }
        }
      }
      provider "tenancy" {
        base_url = "${workspace.simulator.baseUrl}"
        username = "acme"
        password = "acme-password"
      }
      resource "tenancy_user_profile" "jane" {
        username    = "jane"
        permissions = {}
      }`);
    const [change] = await workspace.plan();
    expect(change?.change.after).toMatchObject({
      account_id: workspace.simulator.records.account("acme").id,
    });
    expect(await said("plan")).not.toContain("the caller's own account");
  });

  test("warnings of thirty accounts are folded into one, and names are in its detail", async () => {
    await workspace.configure(`
      resource "tenancy_account" "many" {
        count = 30
        name  = "tenant-\${count.index}"
      }`);
    const text = await said("plan");
    expect(count(text, "Warning:")).toBe(1);
    expect(text).toContain("Warning: A user has permissions that no configuration declares");
    expect(text).toContain("29 more");
    expect(text).toMatch(/"tenant-\d+" gets by the service's default/);
  });

  test("a mistyped right is shown at its own line", async () => {
    await workspace.configure(`
      resource "tenancy_user_profile" "jane" {
        username    = "jane"
        account_id  = "account:1:1"
        permissions = {
          "vss.use_disks"        = true
          "vss.mange_snapshots"  = true
        }
      }`);
    const { stdout, stderr } = await workspace.run(["validate"]);
    expect(stdout + stderr).toMatch(/\d+: +"vss\.mange_snapshots" += true/);
    expect(stdout + stderr).not.toContain("At permissions");
  });

  test("a password that a killed apply has left is told by the next plan, until an apply", async () => {
    workspace.simulator.records.createAccount({ name: "acme" });
    const user = (more = "") => `
      data "tenancy_account" "acme" { name = "acme" }
      resource "tenancy_user_profile" "csi" {
        username    = "csi"
        account_id  = data.tenancy_account.acme.id
        permissions = {}
        ${more}
      }`;
    await workspace.configure(user());
    await workspace.apply();
    workspace.simulator.records.patchProfile("csi@acme", { password: "left-behind" });
    const title = "A user has a password that no configuration declares";
    for (const _again of [1, 2]) {
      const text = await said("plan");
      expect(text).toContain(title);
      expect(text).toContain('"csi@acme" has got a password that this configuration did not set');
    }
    await workspace.configure(user('unset = ["password_wo"]'));
    expect(await said("plan")).not.toContain(title);
    await workspace.apply();
    expect(workspace.simulator.records.profile("csi@acme").password).toBeNull();

    await workspace.configure(user());
    workspace.simulator.records.patchProfile("csi@acme", { password: "of the user's own" });
    expect(await said("plan")).toContain(title);
    await workspace.apply();
    expect(await said("plan")).not.toContain(title);
  });
});
