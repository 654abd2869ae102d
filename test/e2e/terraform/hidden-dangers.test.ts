/**
 * Changes that each hide one danger, as Terraform and OpenTofu show them: in the difference, a warning, or a refusal. The embedded engine's
 * words for the same are in test/engine/hidden-dangers.test.ts. Whom nobody declares in an account of ours, Terraform cannot tell: a provider
 * sees one object at a time.
 */
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  /** An account, and what stands beside it. */
  const acme = (members: string, others = "", name = "acme") =>
    workspace.configure(`
      resource "tenancy_account" "acme" {
        name = "${name}"
        ${members}
      }
      ${others}`);
  const jane = (members: string) =>
    acme(
      "permissions = {}",
      `resource "tenancy_user_profile" "jane" {
        username   = "jane"
        account_id = tenancy_account.acme.id
        ${members}
      }`,
    );
  const token = (keeper: string) =>
    acme(
      "permissions = {}",
      `resource "tenancy_user_profile" "csi" {
        username    = "csi"
        account_id  = tenancy_account.acme.id
        permissions = {}
      }
      resource "tenancy_authorization" "csi" {
        login     = tenancy_user_profile.csi.login
        name      = "csi-prod"
        login_with = "temporary_password"
        keepers   = { cluster = "${keeper}" }
      }`,
    );
  /** What a plan prints, on one line. */
  const read = async () => said(await workspace.run(["plan", "-no-color"]));

  test("1. a right to take over others, and 2. a scope that grows, are shown", async () => {
    await jane(`permissions = { "vss.update_vss" = true }\nvss_scope = ["VSS1"]`);
    await workspace.apply();
    await jane(`permissions = { "vss.update_vss" = true, "user.manage_users" = true }\nvss_scope = ["*"]`);
    const text = await read();
    expect(text).toContain('+ "user.manage_users" = true');
    expect(text).toContain('~ vss_scope = [ - "VSS1", + "*", ]');
  });

  test("3. a renamed tenant is replaced, which is refused", async () => {
    await acme("permissions = {}");
    await workspace.apply();
    await acme("permissions = {}", "", "acme-storage");
    expect(await read()).toContain('account "acme" would be deleted, with the tenant\'s storage');
  });

  test("4. a rotation says what becomes of the old token, and a second one that would end it early is refused", async () => {
    await token("one");
    await workspace.apply();
    await token("two");
    const text = await read();
    expect(text).toContain('"csi@acme/csi-prod" is rotated: a new token; the old one stays valid for 7d');
    expect(text).toContain("TENANCY_TOKEN_ROTATES");
    await workspace.apply();
    await workspace.expectNoChange();
    await token("three");
    const refused = await read();
    expect(refused).toContain("set a higher `retain_previous` to keep the old token, or declare a shorter");
    expect(refused).toContain("TENANCY_RETIRES_EARLY");
  });

  test("5. a tenant with a stranger in it is not deleted", async () => {
    await acme("permissions = {}\ndeletion_protection = false");
    await workspace.apply();
    workspace.simulator.records.createProfile("acme", { username: "eve" });
    await workspace.configure("");
    // Terraform plans the end of an account before that of its users, so the apply judges it.
    const text = said(await workspace.run(["apply", "-auto-approve"]));
    expect(text).toContain('account "acme" is not empty');
    expect(text).toContain("eve@acme");
  });

  test("7. a tenant whose rights nobody names is told in a warning", async () => {
    await acme("");
    const text = await read();
    expect(text).toContain("TENANCY_UNDECLARED_PERMISSIONS");
    expect(text).toContain("acme");
  });

  test("8. a user who is no longer suspended, 9. a second factor that goes, and 10. a new password are shown", async () => {
    await acme("permissions = {}\naccess_api = false");
    await workspace.apply();
    await acme("permissions = {}\naccess_api = true");
    expect(await read()).toContain("~ access_api = false -> true");

    const user = (factor: string, version: number) =>
      jane(`permissions         = {}
        two_factor_auth     = "${factor}"
        password_wo         = "canary-${version}"
        password_wo_version = ${version}`);
    await user("google", 1);
    await workspace.apply();
    await user("none", 2);
    const text = await read();
    expect(text).toContain('~ two_factor_auth = "google" -> "none"');
    expect(text).toContain("~ password_wo_version = 1 -> 2");
    expect(text).not.toContain("canary");
  });

  test("11. somebody else's object of that name is never taken for ours", async () => {
    workspace.simulator.records.createAccount({ name: "acme", password: "secret" });
    await acme("permissions = {}");
    const refused = await read();
    expect(refused).toContain(
      'Either import it with an `import` block (`id = "acme"`), or choose another name.',
    );
    expect(refused).toContain("TENANCY_UNMANAGED");
  });

  test("12. a suspended user who is replaced, and may be active again, is told in a warning", async () => {
    await jane("permissions = {}\nallow_su = false");
    await workspace.apply();
    workspace.simulator.records.patchProfile("jane@acme", { activated: false });
    await acme(
      "permissions = {}",
      `resource "tenancy_user_profile" "jane" {
        username    = "jane-doe"
        account_id  = tenancy_account.acme.id
        permissions = {}
      }`,
    );
    const text = await read();
    expect(text).toContain('The replacement of "jane@acme" ends the restrictions of this user');
    expect(text).toContain('"jane@acme" was deactivated; it is not known whether the service activates');
    expect(text).not.toContain("TENANCY_NO_LONGER_DECLARED");
    expect(text).toContain("TENANCY_RESTRICTIONS_LOST");
  });

  test("a token with a literal login ends with its user, and the next plan creates it again", async () => {
    await acme(
      "permissions = {}",
      `resource "tenancy_user_profile" "ci" {
          username            = "ci"
          account_id          = tenancy_account.acme.id
          permissions         = {}
          password_wo         = "secret-secret"
          password_wo_version = 1
        }
        resource "tenancy_authorization" "ci" {
          login       = "ci@acme"
          name        = "deploy"
          password_wo = "secret-secret"
          depends_on  = [tenancy_user_profile.ci]
        }`,
    );
    await workspace.apply();
    const outcome = await workspace.run(["apply", "-auto-approve", "-replace=tenancy_user_profile.ci"]);
    expect(outcome.stdout).toContain("1 added, 0 changed, 1 destroyed");
    expect(await read()).toContain("tenancy_authorization.ci will be created");
    await workspace.apply();
    await workspace.expectNoChange();
  });

  test("13. the apply that changes a password warns that its user's tokens may have ended", async () => {
    await workspace.close();
    workspace = await TenancyWorkspace.create(engine, { passwordEndsTokens: true });
    const ci = (password: string, version: number) =>
      acme(
        "permissions = {}",
        `resource "tenancy_user_profile" "ci" {
          username            = "ci"
          account_id          = tenancy_account.acme.id
          permissions         = {}
          password_wo         = "${password}"
          password_wo_version = ${version}
        }
        resource "tenancy_authorization" "ci" {
          login       = tenancy_user_profile.ci.login
          name        = "deploy"
          password_wo = "${password}"
        }`,
      );
    await ci("first-secret", 1);
    await workspace.apply();
    await ci("second-secret", 2);
    expect(await read()).not.toContain("TENANCY_TOKENS_ENDED");
    const text = said(await workspace.run(["apply", "-auto-approve"]));
    expect(text).toContain(`The password of "ci@acme" has changed, which may have ended the user's tokens.`);
    expect(text).toContain("TENANCY_TOKENS_ENDED");
    expect(await read()).toContain("tenancy_authorization.ci will be created");
    await workspace.apply();
    await workspace.expectNoChange();
  });
});
