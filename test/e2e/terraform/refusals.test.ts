/** What Terraform shows where the service refuses or ignores something: covers src/provider/apply.ts. */
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace, type TenancyOptions } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace | undefined;
  afterEach(async () => {
    await workspace?.close();
    workspace = undefined;
  });

  async function open(options: TenancyOptions = {}): Promise<TenancyWorkspace> {
    workspace = await TenancyWorkspace.create(engine, options);
    return workspace;
  }

  const account = (members: string) => `
    resource "tenancy_account" "acme" {
      name        = "acme"
      permissions = {}
      ${members}
    }`;

  test("what the service refuses is marked where it was written", async () => {
    const project = await open();
    await project.configure(account(`limits_vss_num = 1\n  level = 3`));
    project.simulator.fail({
      method: "POST",
      path: "/api/account",
      status: 400,
      body: {
        status: 400,
        message: "parameter validation failure",
        type: "validation",
        errors: [
          { type: "range", field: "/limits/vss_num", msg: "is too small" },
          { type: "range", field: "/level", msg: "is too low" },
        ],
      },
    });
    const { stdout, stderr } = await project.run(["apply", "-auto-approve"]);
    const outcome = said({ code: 1, stdout, stderr });
    expect(outcome).toMatch(
      /is too small.*on main.tf line \d+, in resource "tenancy_account" "acme": \d+: limits_vss_num = 1/,
    );
    expect(outcome).toMatch(
      /is too low.*on main.tf line \d+, in resource "tenancy_account" "acme": \d+: level = 3/,
    );
    await project.apply();
    await project.expectNoChange();
  });

  test("a member that the service ignores while creating is a warning; the tenant is kept, and the next plan shows it", async () => {
    const project = await open();
    await project.configure(account("limits_vss_num = 5\n  level = 3"));
    project.simulator.fail({
      path: /^\/api\/account/,
      times: 1000,
      alter: withLimits({ vss_num: null, size_reserve_total: null }),
    });
    const applied = await project.run(["apply", "-auto-approve"]);
    expect(applied.code).toBe(0);
    expect(said(applied)).toMatch(/Warning:.*limits_vss_num = 5/);
    expect(await project.state("tenancy_account.acme")).toMatchObject({ limits_vss_num: 5 });
    expect(await project.plan()).toMatchObject([
      {
        change: {
          actions: ["update"],
          before: { limits_vss_num: null },
          after: { limits_vss_num: 5 },
        },
      },
    ]);

    const again = await project.run(["apply", "-auto-approve"]);
    expect(again.code).toBe(1);
    expect(said(again)).toMatch(/Error:.*limits_vss_num = 5/);
    expect(await project.plan()).toMatchObject([{ change: { actions: ["update"] } }]);
    project.simulator.clearFaults();
    await project.apply();
    await project.expectNoChange();
  });

  test("after an update that took in part, the next plan holds just what was ignored", async () => {
    const project = await open();
    await project.configure(account("limits_vss_num = 1\n  level = 1"));
    await project.apply();
    await project.configure(account("limits_vss_num = 2\n  level = 2"));
    project.simulator.fail({
      path: /^\/api\/account/,
      times: 1000,
      alter: withLimits({ vss_num: 1, size_reserve_total: null }),
    });
    const outcome = await project.run(["apply", "-auto-approve"]);
    expect(said(outcome)).toMatch(/Error: .*limits_vss_num = 2/);
    const [change] = await project.plan("-refresh=false");
    expect(change?.change.before).toMatchObject({ level: 2, limits_vss_num: 1 });
    expect(change?.change.after).toMatchObject({ level: 2, limits_vss_num: 2 });
  });

  test("a tenant whose create was answered with trouble is in the state, or not there", async () => {
    const project = await open();
    await project.configure(account(""));
    project.simulator.fail({ method: "POST", path: "/api/account", when: "after", reset: true });
    await project.apply();
    await project.expectNoChange();
    expect(project.simulator.records.accounts).toHaveLength(2);
  });

  test("a right that is not named is denied; kept ones are listed", async () => {
    const project = await open();
    const { id } = project.simulator.records.createAccount({ name: "acme", password: "secret" });
    const user = (members: string) => `
      resource "tenancy_user_profile" "jane" {
        username   = "jane"
        account_id = "${id}"
        ${members}
      }`;
    await project.configure(user(""));
    const warned = said(await project.run(["apply", "-auto-approve"]));
    expect(warned).toMatch(/Warning: .*permissions/);
    await project.configure(
      user(`
      permissions       = { "vss.manage_targets" = false }
      undeclared_rights = "keep"`),
    );
    expect(said(await project.run(["plan"]))).toContain("vss.update_vss");
    await project.apply();
    await project.expectNoChange();
    expect(project.simulator.records.profile("jane@acme").permissions.vss.rights).toMatchObject({
      manage_targets: false,
      update_vss: true,
    });
  });

  test("a scope that is limited is sent with its flag; one for everything stands alone", async () => {
    const project = await open();
    await project.configure(account(`vss_scope = ["*", "vss:1:1"]`));
    const refused = said(await project.run(["validate"]));
    expect(refused).toContain('"*" must be the only element');
    expect(refused).toMatch(/on main.tf line \d+, in resource "tenancy_account" "acme": \d+: vss_scope = /);
    await project.configure(account(`vss_scope = ["vss:1:1"]`));
    await project.apply();
    await project.expectNoChange();
    expect(project.simulator.records.profile("acme").permissions.vss).toMatchObject({
      all_account_scope: false,
      vsses: ["vss:1:1"],
    });
  });
});

function withLimits(limits: object): (body: unknown) => unknown {
  const alter = (record: object): object => ("limits" in record ? { ...record, limits } : record);
  return (body) => (Array.isArray(body) ? body.map(alter) : alter(body as object));
}
