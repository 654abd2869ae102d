/** Data sources and the function of presets under Terraform: covers src/resources and src/provider/index.ts. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine, { describeCaller: { permissions: true, user: true } });
  });
  afterEach(() => workspace.close());

  async function outputs(configuration: string): Promise<Record<string, unknown>> {
    await workspace.configure(configuration);
    await workspace.apply();
    const shown = JSON.parse(await workspace.succeed(["output", "-json"])) as Record<
      string,
      { value: unknown }
    >;
    return Object.fromEntries(Object.entries(shown).map(([name, { value }]) => [name, value]));
  }

  test("every data source tells what the service shows", async () => {
    const { records } = workspace.simulator;
    const acme = records.createAccount({ name: "acme", password: "secret", limits: { vss_num: 3 } });
    records.createAccount({ name: "globex", password: "secret" });
    const jane = records.createProfile("acme", { username: "jane", email: "jane@acme.example" });
    records.setUsage("acme", { vss_num: 2 });
    const found = await outputs(`
      data "tenancy_account" "by_name" { name = "acme" }
      data "tenancy_account" "volatile" {
        id       = "${acme.id}"
        volatile = true
      }
      data "tenancy_account" "by_serial" { serial = "${acme.serial}" }
      data "tenancy_accounts" "all" { name_prefix = "a" }
      data "tenancy_account_usage" "acme" { account_id = "${acme.id}" }
      data "tenancy_user_profile" "jane" { login = "jane@acme" }
      data "tenancy_user_profiles" "acme" { account_id = "${acme.id}" }
      data "tenancy_status" "it" {}
      data "tenancy_caller" "me" {}
      output "name" { value = data.tenancy_account.by_name }
      output "volatile" { value = data.tenancy_account.volatile.seq }
      output "serial" { value = data.tenancy_account.by_serial.id }
      output "all" { value = data.tenancy_accounts.all.accounts[*].name }
      output "usage" { value = data.tenancy_account_usage.acme }
      output "jane" { value = data.tenancy_user_profile.jane }
      output "profiles" { value = data.tenancy_user_profiles.acme.user_profiles[*].login }
      output "status" { value = data.tenancy_status.it }
      output "caller" { value = data.tenancy_caller.me.user.name }`);
    expect(found).toMatchObject({
      name: { id: acme.id, uuid: acme.uuid, limits_vss_num: 3, seq: null },
      volatile: acme.seq,
      serial: acme.id,
      all: ["acme"],
      usage: { vss_num: 2 },
      jane: { id: jane.id, email: "jane@acme.example", account_id: acme.id },
      profiles: ["acme", "jane@acme"],
      status: { status: 200, message: "ok" },
      caller: "system",
    });
    const { permissions } = found["jane"] as { permissions: Record<string, boolean> };
    expect(Object.keys(permissions)).toHaveLength(49);
    expect(permissions).toMatchObject({ "vss.update_vss": true, "realm.manage_accounts": false });
  });

  test("a data source that is asked by nothing, by two keys, or for nobody says so", async () => {
    await workspace.configure(`data "tenancy_account" "it" {}`);
    expect(said(await workspace.run(["validate"]))).toContain("exactly one of");
    await workspace.configure(`data "tenancy_account" "it" {
      name = "a"
      id   = "b"
    }`);
    expect(said(await workspace.run(["validate"]))).toContain("exactly one of");
    await workspace.configure(`data "tenancy_account" "it" { name = "nobody" }`);
    expect(said(await workspace.run(["plan"]))).toContain("TENANCY_NO_SUCH_OBJECT");
  });

  test("presets of permissions are merged with what overrides them, later ones win", async () => {
    const found = await outputs(`
      output "merged" {
        value = provider::tenancy::permissions_preset("observer",
          { "vss.manage_targets" = true, "vss.update_vss" = true },
          { "vss.update_vss" = false })
      }`);
    expect(found["merged"]).toEqual({
      "vss.manage_targets": true,
      "vss.update_vss": false,
      "account.view_events": true,
      "account.view_statistics": true,
      "account.query_catalog": true,
    });
  });

  test("a preset that does not exist, and a right that does not exist, are named", async () => {
    await workspace.configure(`output "it" { value = provider::tenancy::permissions_preset("observr") }`);
    expect(said(await workspace.run(["validate"]))).toContain('"observr" (Did you mean "observer"?).');
    await workspace.configure(`output "it" { value = provider::tenancy::permissions_preset("nobody") }`);
    expect(said(await workspace.run(["validate"]))).toContain("account_admin).");
    await workspace.configure(
      `output "it" { value = provider::tenancy::permissions_preset("observer", { "vss.manage_target" = true }) }`,
    );
    expect(said(await workspace.run(["validate"]))).toContain('Did you mean "vss.manage_targets"?');
  });

  test("an override that is known only after apply leaves the other rights known", async () => {
    await workspace.configure(`
      resource "terraform_data" "later" {}
      resource "tenancy_account" "acme" {
        name        = "acme"
        permissions = provider::tenancy::permissions_preset("observer",
          { "vss.manage_targets" = terraform_data.later.id != "" })
      }`);
    const [change] = (await workspace.plan()).filter(({ address }) => address === "tenancy_account.acme");
    expect(change?.change.after_unknown).toMatchObject({
      permissions: { "vss.manage_targets": true },
    });
    expect(change?.change.after).toMatchObject({ permissions: { "account.view_events": true } });
    await workspace.apply();
    await workspace.expectNoChange();
  });

  test("the example of tenancy_caller applies, whether the service shows the user, the account or neither", async () => {
    const file = join(__dirname, "../../../examples/data-sources/tenancy_caller/data-source.tf");
    const example = await readFile(file, "utf8");
    const { simulator } = workspace;
    const user = { id: "user_profile:1:1", serial: "USR1", name: "system" };
    for (const [shown, text] of [
      [{ user }, "system"],
      [{ account: { ...user, name: "acme" } }, "acme"],
      [{}, "not shown by the service"],
    ] as const) {
      const altered = simulator.fail({ path: "/api/status/authorization", times: 99, alter: () => shown });
      expect(await outputs(example)).toEqual({ logged_in_as: text });
      altered.remove();
    }
  });
});
