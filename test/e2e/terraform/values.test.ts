/** Odd values of attributes under Terraform: covers src/schema and src/provider. */
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  const account = (members: string) =>
    workspace.configure(`
      resource "tenancy_account" "acme" {
        name        = "acme"
        permissions = {}
        ${members}
      }`);

  test.each(["9007199254740993", "9223372036854775807", "0"])(
    "the quota %s goes to the service and back, digit by digit",
    async (quota) => {
      await account(`limits_size_reserve_total = ${quota}`);
      await workspace.apply();
      await workspace.expectNoChange();
      expect(workspace.simulator.records.account("acme").limits.size_reserve_total).toEqual(
        Number.isSafeInteger(Number(quota)) ? Number(quota) : BigInt(quota),
      );
      expect(await workspace.engine.readState()).toContain(`"limits_size_reserve_total": ${quota}`);
    },
  );

  test.each(["limits_vss_num = 0.1", "level = 1.5", "provisioning_iops_reserve_max = 1e-3"])(
    "a fraction is no whole number: %s",
    async (members) => {
      await account(members);
      const outcome = said(await workspace.run(["validate"]));
      expect(outcome).toContain("must be a whole number");
      expect(outcome).toContain(members.split(" ")[0]);
    },
  );

  test.each(["1e400", "1e20", "9223372036854775808"])(
    "a number of more than 64 bits is refused before anything is sent: %s",
    async (number) => {
      await account(`limits_vss_num = ${number}`);
      const outcome = said(await workspace.run(["plan"]));
      expect(outcome).toContain("must be 9223372036854775807 or less");
      expect(outcome).toContain("limits_vss_num");
    },
  );

  test("a fraction that only the plan knows is no whole number either", async () => {
    await workspace.configure(`
      variable "quota" {
        type = number
      }
      resource "tenancy_account" "acme" {
        name   = "acme"
        limits_vss_num = var.quota
      }`);
    expect(said(await workspace.run(["plan", "-var", "quota=0.1"]))).toContain("must be a whole number");
    expect(said(await workspace.run(["plan", "-var", "quota=20.0"]))).toContain("1 to add");
  });

  test("accents, composed or not, and words that mean something elsewhere are texts like any other", async () => {
    await account(`
      primary_contact = { first_name = "Rene\\u0301", last_name = "Ren\\u00e9", company = "\${"$"}{x} %%{y}" }
      provisioning_tags_include = ["__proto__", "constructor", "u\\u0308", "\\u00fc", "a"]`);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(workspace.simulator.records.account("acme")).toMatchObject({
      primary_contact: { first_name: "René", last_name: "René" },
      provisioning: { tags_include: ["__proto__", "a", "constructor", "ü"] },
    });
  });

  test("an empty list empties; a null list, or one that is left out, stays as it is", async () => {
    await account(`provisioning_tags_include = []
      provisioning_tags_permit  = []`);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(await workspace.state("tenancy_account.acme")).toMatchObject({
      provisioning_tags_include: [],
      provisioning_tags_exclude: [],
      provisioning_tags_permit: [],
    });
    await account(`provisioning_tags_include = null
      provisioning_tags_permit  = null`);
    await workspace.expectNoChange();
    const { records } = workspace.simulator;
    expect(records.account("acme").provisioning).toMatchObject({ tags_permit: [] });
    await account(`unset = ["provisioning_tags_permit"]`);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(records.account("acme").provisioning).toMatchObject({ tags_include: [], tags_permit: null });
    await account(`primary_contact = { address = { addr = [] } }`);
    await workspace.apply();
    await workspace.expectNoChange();
  });

  test.each([
    "billing_contact = {}",
    "billing_contact = { address = {} }",
    "primary_contact = { address = {} }",
  ])("a group that declares nothing is at peace with an account that has nothing: %s", async (group) => {
    await account(group);
    await workspace.apply();
    await workspace.expectNoChange();
    await account("");
    await workspace.apply();
    await account(group);
    await workspace.apply();
    await workspace.expectNoChange();
  });

  test("keepers may have any names", async () => {
    await workspace.configure(`
      resource "tenancy_authorization" "csi" {
        name    = "csi"
        keepers = { "__proto__" = "a", "constructor" = "b", "u\\u0308" = "c" }
      }`);
    await workspace.apply();
    await workspace.expectNoChange();
    const { keepers } = await workspace.state("tenancy_authorization.csi");
    expect(Object.entries(keepers as object)).toEqual(
      expect.arrayContaining([
        ["constructor", "b"],
        ["ü", "c"],
      ]),
    );
    expect(await workspace.engine.readState()).toContain('"__proto__": "a"');
  });

  test("a value that is taken away is planned null, and stays away", async () => {
    await account(`
      billing_contact = { first_name = "Bill" }
      limits_vss_num = 1`);
    await workspace.apply();
    await account(`unset = ["billing_contact", "limits_vss_num"]`);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(workspace.simulator.records.account("acme")).toMatchObject({
      billing_contact: null,
      limits: { vss_num: null },
    });
  });

  test("what is both set and unset, or unset and not known yet, is refused", async () => {
    await account(`
      limits_vss_num = 1
      unset  = ["limits_vss_num"]`);
    expect(said(await workspace.run(["validate"]))).toContain("is both set and unset");
    await workspace.configure(`
      resource "terraform_data" "later" {}
      resource "tenancy_account" "acme" {
        name  = "acme"
        unset = [terraform_data.later.id]
      }`);
    expect(said(await workspace.run(["plan"]))).toContain("must be known while planning");
  });

  test("a value that is known only after apply is planned unknown, and applied as it then is", async () => {
    await workspace.configure(`
      resource "terraform_data" "later" {
        input = 9007199254740993
      }
      resource "tenancy_account" "acme" {
        name            = "acme"
        primary_contact = { company = terraform_data.later.id }
        limits_size_reserve_total = terraform_data.later.output
        permissions     = { "vss.manage_targets" = terraform_data.later.id != "" }
      }`);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(await workspace.engine.readState()).toContain('"limits_size_reserve_total": 9007199254740993');
  });
});
