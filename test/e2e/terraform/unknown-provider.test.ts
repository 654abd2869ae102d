/** Providers that are configured only by the apply: covers src/provider/service.ts. */
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  const ACCOUNT = `
    resource "tenancy_account" "acme" {
      name   = "acme"
      limits_vss_num = 1
    }`;

  /** The provider's address comes from an object that the plan is about to make anew. */
  async function configureLater(resources: string, caller?: { username: string; password: string }) {
    const { baseUrl } = workspace.simulator;
    const { username, password } = caller ?? workspace.simulator;
    await workspace.engine.configure(`
      terraform {
        required_providers {
          tenancy = { source = "tenancy/tenancy" }
        }
      }
      resource "terraform_data" "node" {
        input            = "${baseUrl}"
        triggers_replace = "again"
      }
      provider "tenancy" {
        base_url = terraform_data.node.output
        username = "${username}"
        password = "${password}"
        owner    = "tests"
      }
      ${resources}`);
  }

  test("while the provider is not known, a plan trusts the state, says so, and asks nobody", async () => {
    await workspace.configure(ACCOUNT);
    await workspace.apply();
    workspace.simulator.clearRequests();
    await configureLater(ACCOUNT.replace("1", "2"));
    const plan = await workspace.run(["plan"]);
    expect(plan.code).toBe(0);
    expect(said(plan)).toMatch(
      /Warning: The provider's configuration is known only after apply .*The provider's base_url is known only after apply/,
    );
    expect(plan.stdout).toContain("1 to add, 1 to change, 0 to destroy");
    expect(workspace.simulator.requests).toEqual([]);
    await workspace.apply();
    expect(workspace.simulator.records.account("acme").limits.vss_num).toBe(2);
    await workspace.expectNoChange();
  });

  test("what needs an answer while planning is an error then", async () => {
    await configureLater(`${ACCOUNT}
      import {
        to = tenancy_account.acme
        id = "acme"
      }`);
    expect(said(await workspace.run(["plan"]))).toContain("nothing can be imported");
    await configureLater(`data "tenancy_accounts" "all" {}`);
    expect(said(await workspace.run(["plan"]))).toContain("a data source cannot be read");
    expect(workspace.simulator.requests).toEqual([]);
  });

  test("an apply does not delete the user that it works as, although no plan could judge that", async () => {
    const { records } = workspace.simulator;
    const robot = { username: "robot", password: "secret-secret" };
    records.createProfile("system", {
      ...robot,
      permissions: { realm: { rights: { manage_accounts: true } }, user: { rights: { manage_users: true } } },
    });
    await workspace.configure(`
      resource "tenancy_user_profile" "robot" {
        username   = "robot"
        account_id = "${records.account("system").id}"
      }`);
    await workspace.succeed(["import", "tenancy_user_profile.robot", "robot@system"]);
    await workspace.apply();
    await configureLater("", { ...robot, username: "robot@system" });
    const { code, stderr } = await workspace.run(["apply", "-auto-approve"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("TENANCY_SELF_CHANGE")]);
    expect(records.profile("robot@system").activated).toBe(true);
    expect(await workspace.succeed(["state", "list"])).toContain("tenancy_user_profile.robot");
  });

  test("an apply does not take the API access that it works with, although it has written by then", async () => {
    const { records } = workspace.simulator;
    const system = (members: string) => `
      resource "tenancy_account" "system" {
        name = "system"
        ${members}
      }`;
    await workspace.configure(system(""));
    await workspace.succeed(["import", "tenancy_account.system", "system"]);
    await workspace.apply();
    await configureLater(ACCOUNT + system("access_api = false\ndepends_on = [tenancy_account.acme]"));
    const { code, stderr } = await workspace.run(["apply", "-auto-approve"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("takes its API access")]);
    expect(records.account("acme").name).toBe("acme");
    expect(records.profile("system").access.api).toBe(true);
  });
});
