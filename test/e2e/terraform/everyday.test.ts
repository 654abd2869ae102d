/** What people do with Terraform day by day, beside plan and apply. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  const account = (label: string, name = '"acme"') => `
    resource "tenancy_account" "${label}" {
      name                = ${name}
      deletion_protection = false
    }`;
  const users = (label: string, names: readonly string[], of = "acme") => `
    resource "tenancy_user_profile" "${label}" {
      for_each    = toset(${JSON.stringify(names)})
      username    = each.key
      account_id  = tenancy_account.${of}.id
      permissions = {}
    }`;
  const moved = (from: string, to: string) => `
    moved {
      from = ${from}
      to   = ${to}
    }`;

  test("what is moved, in the configuration or in the state, stays what it is", async () => {
    await workspace.configure(account("acme") + users("users", ["jane", "joe"]));
    await workspace.apply();
    const renamed = account("tenant") + users("people", ["jane", "joe"], "tenant");
    await workspace.configure(
      renamed +
        moved("tenancy_account.acme", "tenancy_account.tenant") +
        moved("tenancy_user_profile.users", "tenancy_user_profile.people"),
    );
    expect(await workspace.apply()).toContain("0 added, 0 changed, 0 destroyed");
    await workspace.succeed(["state", "mv", "tenancy_account.tenant", "tenancy_account.acme"]);
    await workspace.succeed(["state", "mv", "tenancy_user_profile.people", "tenancy_user_profile.users"]);
    await workspace.configure(account("acme") + users("users", ["jane", "joe"]));
    await workspace.expectNoChange();
  });

  test("what Terraform is to forget stays live, and is taken in again, each by its login", async () => {
    await workspace.configure(account("acme") + users("users", ["jane", "joe"]));
    await workspace.apply();
    await workspace.configure(`${account("acme")}
      removed {
        from = tenancy_user_profile.users
        lifecycle {
          destroy = false
        }
      }`);
    await workspace.apply();
    expect((await workspace.succeed(["state", "list"])).trim()).toBe("tenancy_account.acme");
    await workspace.configure(`${account("acme")} ${users("users", ["jane", "joe"])}
      import {
        for_each = toset(["jane", "joe"])
        to       = tenancy_user_profile.users[each.key]
        id       = "\${each.key}@acme"
      }`);
    expect(await workspace.apply()).toContain("2 imported, 0 added, 0 changed, 0 destroyed");
    await workspace.expectNoChange();
  });

  test("each workspace has tenants of its own", async () => {
    await workspace.configure(account("acme", '"acme-${terraform.workspace}"'));
    await workspace.apply();
    await workspace.succeed(["workspace", "new", "next"]);
    expect(await workspace.apply()).toContain("1 added");
    await workspace.destroy();
    await workspace.succeed(["workspace", "select", "default"]);
    await workspace.expectNoChange();
    expect(workspace.simulator.records.accounts.map(({ name }) => name)).toEqual(["system", "acme-default"]);
  });

  test("a session token opens a second provider, and is in no state; a check asks for the service's health", async () => {
    await workspace.configure(`
      ephemeral "tenancy_session_token" "session" {}
      provider "tenancy" {
        alias    = "session"
        base_url = "${workspace.simulator.baseUrl}"
        token    = ephemeral.tenancy_session_token.session.access_token
        owner    = "tests"
      }
      resource "tenancy_account" "acme" {
        provider            = tenancy.session
        name                = "acme"
        deletion_protection = false
      }
      check "health" {
        data "tenancy_status" "service" {}
        assert {
          condition     = data.tenancy_status.service.status == 200
          error_message = "the service is not well"
        }
      }`);
    expect(await workspace.apply()).toContain("1 added");
    expect(await workspace.succeed(["plan"])).toContain("0 to add, 0 to change, 0 to destroy");
    expect(await workspace.engine.readState()).not.toMatch(/"(access_)?token"/);
    await workspace.destroy();
  });

  test("`test` plans, applies and replaces, and leaves nothing behind", async () => {
    await workspace.configure(`
      variable "name" {
        type    = string
        default = "acme"
      }
      ${account("acme", "var.name")}`);
    const run = (name: string, condition: string, more = "") => `
      run "${name}" {
        ${more}
        assert {
          condition     = ${condition}
          error_message = "${name}"
        }
      }`;
    await writeFile(
      join(workspace.engine.folder, "main.tftest.hcl"),
      run("plans", "!tenancy_account.acme.deletion_protection", "command = plan") +
        run("applies", 'startswith(tenancy_account.acme.id, "account:")') +
        run("replaces", 'tenancy_account.acme.name == "globex"', 'variables {\n name = "globex"\n }'),
    );
    expect(await workspace.succeed(["test"])).toContain("3 passed, 0 failed");
    expect(workspace.simulator.records.accounts.map(({ name }) => name)).toEqual(["system"]);
  });

  test("a refresh alone takes in what others changed, and what they deleted", async () => {
    const { records } = workspace.simulator;
    await workspace.configure(account("acme") + users("users", ["jane", "joe"]));
    await workspace.apply();
    records.patchAccount("acme", { limits: { vss_num: 3 } });
    records.deleteProfile("joe@acme");
    const plan = said(await workspace.run(["plan", "-refresh-only"]));
    expect(plan).toMatch(/tenancy_account.acme has changed.*vss_num = 3/);
    expect(plan).toContain('tenancy_user_profile.users["joe"] has been deleted');
    await workspace.apply("-refresh-only");
    expect(await workspace.apply()).toContain("1 added, 0 changed, 0 destroyed");
    await workspace.expectNoChange();
  });

  test("a user who is deleted outside is made again, with a new token, in one apply", async () => {
    const { records } = workspace.simulator;
    await workspace.configure(`${account("acme")} ${users("users", ["csi"])}
      resource "tenancy_authorization" "csi" {
        name      = "csi"
        login     = tenancy_user_profile.users["csi"].login
        login_with = "temporary_password"
      }`);
    await workspace.apply();
    const { serial } = await workspace.state("tenancy_authorization.csi");
    records.deleteProfile("csi@acme");
    await workspace.apply();
    await workspace.expectNoChange();
    expect((await workspace.state("tenancy_authorization.csi"))["serial"]).not.toBe(serial);
    expect(records.authorizations).toHaveLength(1);
  });
});
