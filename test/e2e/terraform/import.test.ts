/** Imports under Terraform: covers src/provider/resource.ts. */
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

const ACCOUNT = `
  resource "tenancy_account" "acme" {
    name   = "acme"
    limits_vss_num = 20
  }`;
const USER = `
  resource "tenancy_user_profile" "jane" {
    username    = "jane"
    account_id  = "ACCOUNT"
    email       = "jane@acme.example"
    sms         = "+491701234567"
  }`;

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  function acme() {
    return workspace.simulator.records.createAccount({
      name: "acme",
      password: "secret",
      limits: { vss_num: 20 },
    });
  }

  test.each(["id", "serial", "name"] as const)(
    "an account is imported by its %s, and there is nothing to change",
    async (key) => {
      const account = acme();
      await workspace.configure(ACCOUNT);
      await workspace.succeed(["import", "tenancy_account.acme", account[key]]);
      await workspace.expectNoChange();
      expect(await workspace.state("tenancy_account.acme")).toMatchObject({
        uuid: account.uuid,
        deletion_protection: true,
      });
    },
  );

  test.each(["id", "serial", "login"] as const)(
    "a user profile is imported by its %s; its masked number is sent once",
    async (key) => {
      const { records } = workspace.simulator;
      const { id } = acme();
      const jane = records.createProfile("acme", {
        username: "jane",
        email: "jane@acme.example",
        sms: "+491701234567",
      });
      // The mask shows the same last digits.
      records.patchProfile("jane@acme", { sms: "+499991234567" });
      await workspace.configure(USER.replace("ACCOUNT", id));
      await workspace.succeed(["import", "tenancy_user_profile.jane", jane[key]]);
      const [change, ...others] = await workspace.plan();
      expect(others).toEqual([]);
      expect(change).toMatchObject({
        change: {
          actions: ["update"],
          before: { sms: expect.stringContaining("*") as string },
          after: { sms: "+491701234567" },
        },
      });
      await workspace.apply();
      await workspace.expectNoChange();
      expect(records.profile("jane@acme").sms?.number).toBe("+491701234567");
    },
  );

  test("an imported account gets the declared contact in one apply, and the plan shows what the service hides", async () => {
    const account = workspace.simulator.records.createAccount({
      name: "acme",
      limits: { vss_num: 20 },
      primary_contact: { company: "Old Corp" },
    });
    await workspace.configure(ACCOUNT.replace("= 20", '= 20\n primary_contact = { company = "Acme" }'));
    await workspace.succeed(["import", "tenancy_account.acme", account.id]);
    expect(await workspace.plan()).toMatchObject([
      {
        change: {
          actions: ["update"],
          before: { primary_contact: { company: null } },
          after: { primary_contact: { company: "Acme" } },
        },
      },
    ]);
    await workspace.apply();
    expect(workspace.simulator.records.account("acme").primary_contact.company).toBe("Acme");
    await workspace.expectNoChange();
  });

  test("an import block takes an account in while applying", async () => {
    acme();
    await workspace.configure(`${ACCOUNT}
      import {
        to = tenancy_account.acme
        id = "acme"
      }`);
    expect(await workspace.apply()).toContain("1 imported, 0 added, 0 changed, 0 destroyed");
    await workspace.expectNoChange();
  });

  test("what Terraform writes out for imported objects is valid, and there is nothing to change", async () => {
    const { records } = workspace.simulator;
    acme();
    records.patchAccount("acme", {
      primary_contact: { first_name: "Ann", phone: "+49 1", email: "ann@acme.example" },
      billing_contact: { company: "Acme" },
      provisioning: { tags_include: ["a"], tags_permit: ["a", "b"] },
    });
    records.createProfile("acme", {
      username: "jane",
      email: "jane@acme.example",
      sms: "+491701234567",
      permissions: { vss: { all_account_scope: false, vsses: ["vss:1:1"] } },
    });
    await workspace.configure(`
      import {
        to = tenancy_account.acme
        id = "acme"
      }
      import {
        to = tenancy_user_profile.jane
        id = "jane@acme"
      }`);
    await workspace.succeed(["plan", "-generate-config-out=generated.tf"]);
    expect(await workspace.apply()).toContain("2 imported, 0 added, 0 changed, 0 destroyed");
    await workspace.expectNoChange();
  });

  test("a version of a password is recorded after an import, and the password is not sent", async () => {
    const { records } = workspace.simulator;
    const { id } = acme();
    const before = records.createProfile("acme", { username: "jane", password: "before" });
    const jane = (version: number) =>
      workspace.configure(`
        resource "tenancy_user_profile" "jane" {
          username            = "jane"
          account_id          = "${id}"
          password_wo         = "after"
          password_wo_version = ${version}
        }`);
    await jane(1);
    await workspace.succeed(["import", "tenancy_user_profile.jane", "jane@acme"]);
    expect(await workspace.plan()).toMatchObject([
      {
        change: {
          actions: ["update"],
          before: { password_wo_version: null },
          after: { password_wo_version: 1 },
        },
      },
    ]);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(records.profile("jane@acme").seq).toBe(before.seq);

    await jane(2);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(records.profile("jane@acme").seq).toBeGreaterThan(before.seq);
  });

  test("a user who is imported is not deleted because the declared account is yet to be created", async () => {
    const { records } = workspace.simulator;
    acme();
    const { id } = records.createProfile("acme", { username: "jane" });
    const declared = (account: string) => `
      resource "tenancy_account" "other" {
        name = "other"
      }
      import {
        to = tenancy_user_profile.jane
        id = "jane@acme"
      }
      resource "tenancy_user_profile" "jane" {
        username   = "jane"
        account_id = ${account}
      }`;
    await workspace.configure(declared("tenancy_account.other.id"));
    const refused = await workspace.run(["apply", "-auto-approve"]);
    expect(refused.code).toBe(1);
    expect(said(refused)).toContain("TENANCY_IMPORT_REPLACED");
    expect(records.profile("jane@acme").id).toBe(id);
    // The plan is refused as a whole: nothing has been created either.
    expect(records.accounts.map(({ name }) => name)).not.toContain("other");
    await workspace.configure(declared(JSON.stringify(records.profile("jane@acme").account_id)));
    await workspace.apply();
    expect(records.profile("jane@acme").id).toBe(id);
  });

  test("what cannot be imported says why", async () => {
    acme();
    await workspace.configure(`
      ${ACCOUNT}
      ${USER.replace("ACCOUNT", "x")}
      resource "tenancy_authorization" "csi" { name = "csi" }`);
    expect(said(await workspace.run(["import", "tenancy_authorization.csi", "x"]))).toContain(
      "tenancy_authorization cannot be imported",
    );
    expect(said(await workspace.run(["import", "tenancy_account.acme", "nowhere"]))).toContain(
      "TENANCY_NO_SUCH_OBJECT",
    );
    const primary = await workspace.run(["import", "tenancy_user_profile.jane", "acme"]);
    expect(said(primary)).toContain("TENANCY_PRIMARY_PROFILE");
  });
});
