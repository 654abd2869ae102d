/** The refusals and warnings of the provider under Terraform: covers src/provider/guards.ts, plan.ts and apply.ts. */
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

  const account = (name: string, members = "", label = "acme") => `
    resource "tenancy_account" "${label}" {
      name = "${name}"
      ${members}
    }`;

  test("a protected account is neither destroyed nor replaced, whoever asks for it", async () => {
    const project = await open();
    await project.configure(account("acme"));
    await project.apply();
    expect(said(await project.run(["plan", "-destroy"]))).toContain(
      "apply `deletion_protection = false` first. TENANCY_ACCOUNT_DELETION",
    );
    expect(said(await project.run(["plan", "-replace=tenancy_account.acme"]))).toContain(
      "TENANCY_ACCOUNT_DELETION",
    );
    await project.configure(account("globex"));
    expect(said(await project.run(["plan"]))).toContain("TENANCY_ACCOUNT_DELETION");
    await project.configure(account("globex", "deletion_protection = false"));
    expect(said(await project.run(["plan"]))).toContain("TENANCY_ACCOUNT_DELETION");

    await project.configure(account("acme", "deletion_protection = false"));
    await project.apply();
    await project.configure(account("globex", "deletion_protection = false"));
    expect(await project.apply()).toContain("1 added, 0 changed, 1 destroyed");
    await project.expectNoChange();
  });

  test("an account that holds storage is not destroyed until that is allowed", async () => {
    const project = await open();
    await project.configure(account("acme", "deletion_protection = false"));
    await project.apply();
    project.simulator.records.setUsage("acme", { vss_num: 3 });
    expect(said(await project.run(["plan", "-destroy"]))).toMatch(
      /vss_num is 3.*apply `allow_nonempty_delete = true` to have it deleted/,
    );
    await project.configure(account("acme", "deletion_protection = false\nallow_nonempty_delete = true"));
    await project.apply();
    await project.destroy();
    expect(project.simulator.records.accounts).toHaveLength(1);
  });

  describe("an account with users who are in the state", () => {
    const ACME = account("acme", "deletion_protection = false");
    const user = (name: string, members = "") => `
      resource "tenancy_user_profile" "${name}" {
        username    = "${name}"
        account_id  = tenancy_account.acme.id
        permissions = {}
        ${members}
      }`;
    const USERS = user("imported") + user("chosen", 'uuid = "11111111-1111-5111-8111-111111111111"');

    async function tenant(): Promise<TenancyWorkspace> {
      const project = await open();
      await project.configure(ACME);
      await project.apply();
      project.simulator.records.createProfile("acme", { username: "imported" });
      await project.configure(ACME + USERS);
      await project.succeed(["import", "tenancy_user_profile.imported", "imported@acme"]);
      await project.apply();
      return project;
    }

    test.each([[], ["-refresh=false"], ["-target=tenancy_account.acme"]])(
      "is destroyed with them, without a word (%s)",
      async (...args: readonly string[]) => {
        const project = await tenant();
        const outcome = await project.run(["destroy", "-auto-approve", ...args]);
        expect(said(outcome)).not.toContain("TENANCY_");
        expect(outcome.stdout).toContain("Destroy complete! Resources: 3 destroyed");
      },
    );

    test("is replaced with them on request", async () => {
      const project = await tenant();
      const outcome = await project.run(["apply", "-auto-approve", "-replace=tenancy_account.acme"]);
      expect(outcome.stdout).toContain("3 added, 0 changed, 3 destroyed");
    });

    test("stays where it holds one more user, who is not in the state", async () => {
      const project = await tenant();
      project.simulator.records.createProfile("acme", { username: "guest" });
      const outcome = await project.run(["destroy", "-auto-approve"]);
      expect(said(outcome)).toContain(
        `Error: account "acme" is not empty: the user guest@acme would be deleted with it`,
      );
      expect(project.simulator.records.profile("guest@acme")).toBeDefined();
    });
  });

  test("an object that has left the state is a warning at plan and an error at apply, and stays as it is", async () => {
    const project = await open();
    await project.configure(account("acme"));
    await project.apply();
    const { id } = project.simulator.records.account("acme");
    await project.succeed(["state", "rm", "tenancy_account.acme"]);
    const plan = await project.run(["plan"]);
    expect(plan.code).toBe(0);
    expect(said(plan)).toMatch(/`import`.*`moved`.*TENANCY_UNMANAGED/);
    expect(said(await project.run(["apply", "-auto-approve"]))).toContain('Error: account "acme" exists');
    expect(project.simulator.records.account("acme").id).toBe(id);
    await project.configure(`${account("acme")}
      import {
        to = tenancy_account.acme
        id = "${id}"
      }`);
    await project.apply();
    await project.expectNoChange();
  });

  test("an account that is declared twice is made once, and belongs to one of the declarations", async () => {
    const project = await open();
    await project.configure(account("acme", "", "one") + account("acme", "", "two"));
    expect(said(await project.run(["apply", "-auto-approve"]))).toContain('Error: account "acme" exists');
    expect((await project.succeed(["state", "list"])).trim()).toMatch(/^tenancy_account\.(one|two)$/);
  });

  test("a construct that is renamed shows what is deleted, which `prevent_destroy` stops, and a moved block mends it", async () => {
    const project = await open();
    const { records } = project.simulator;
    const { id: other } = records.createAccount({ name: "other", password: "secret" });
    const user = (label: string) => `
      resource "tenancy_user_profile" "${label}" {
        username   = "jane"
        account_id = "${other}"
        lifecycle {
          prevent_destroy = true
        }
      }`;
    await project.configure(account("acme", "", "before") + user("before"));
    await project.apply();
    const live = () => [records.account("acme"), records.profile("jane@other")];
    const before = live();

    await project.configure(account("acme", "", "after") + user("before"));
    expect(said(await project.run(["apply", "-auto-approve"]))).toContain("TENANCY_ACCOUNT_DELETION");
    const moved = (type: string) => `
      moved {
        from = ${type}.before
        to   = ${type}.after
      }`;
    await project.configure(
      account("acme", "", "after") + moved("tenancy_account") + user("after") + moved("tenancy_user_profile"),
    );
    expect(await project.apply()).toContain("0 added, 0 changed, 0 destroyed");
    expect(live()).toEqual(before);
    await project.configure(account("acme", "", "after") + user("after").replace('"jane"', '"janet"'));
    expect(said(await project.run(["apply", "-auto-approve"]))).toContain("prevent_destroy");
    expect(live()).toEqual(before);
  });

  test("a user that is made anew before the old one goes is refused, and the old one stays known", async () => {
    const project = await open();
    project.simulator.records.createAccount({ name: "acme", password: "secret" });
    await project.configure(`
      data "tenancy_account" "acme" {
        name = "acme"
      }
      resource "tenancy_user_profile" "jane" {
        username   = "jane"
        account_id = data.tenancy_account.acme.id
        lifecycle {
          create_before_destroy = true
        }
      }`);
    await project.apply();
    const { id } = project.simulator.records.profile("jane@acme");
    const outcome = await project.run(["apply", "-auto-approve", "-replace=tenancy_user_profile.jane"]);
    expect(said(outcome)).toContain("TENANCY_UNMANAGED");
    await project.expectNoChange();
    expect(project.simulator.records.profile("jane@acme").id).toBe(id);
  });

  test.each(['owner = "tests"', ""])(
    "a tainted user is replaced, without a word where the plan has refreshed it (provider: %s)",
    async (provider) => {
      const project = await open({ provider });
      const { id } = project.simulator.records.createAccount({ name: "acme", password: "secret" });
      const jane = (members = "") =>
        project.configure(`
          resource "tenancy_user_profile" "jane" {
            username    = "jane"
            account_id  = "${id}"
            permissions = {}
            ${members}
          }`);
      await jane("lifecycle { create_before_destroy = true }");
      await project.apply();
      await project.succeed(["taint", "tenancy_user_profile.jane"]);
      const refused = said(await project.run(["apply", "-auto-approve"]));
      expect(refused).toMatch(/Error: user profile "jane@acme" exists.*`create_before_destroy`/);
      await jane();
      const plan = said(await project.run(["plan", "-refresh=false"]));
      expect(plan).toMatch(
        /Warning: An object exists already.*User profile "jane@acme" exists.*Unless the same plan deletes it first/,
      );
      expect(said(await project.run(["plan"]))).not.toMatch(/Warning|Error/);
      await project.apply();
      await project.expectNoChange();
    },
  );

  test.each(['owner = "tests"', ""])(
    "a tainted account that is protected is refused at plan, and keeps its users (provider: %s)",
    async (provider) => {
      const project = await open({ provider });
      const declare = (members: string) =>
        project.configure(`
          ${account("acme", members)}
          resource "tenancy_user_profile" "jane" {
            username    = "jane"
            account_id  = tenancy_account.acme.id
            permissions = {}
          }`);
      await declare("");
      await project.apply();
      const { id } = project.simulator.records.profile("jane@acme");
      await project.succeed(["taint", "tenancy_account.acme"]);
      const refused = await project.run(["apply", "-auto-approve"]);
      expect(refused.code).toBe(1);
      expect(said(refused)).toMatch(
        /Error: account "acme" would be deleted.*`untaint`.*TENANCY_ACCOUNT_DELETION/,
      );
      expect(project.simulator.records.profile("jane@acme").id).toBe(id);

      await project.succeed(["untaint", "tenancy_account.acme"]);
      await declare("deletion_protection = false\nallow_nonempty_delete = true");
      await project.apply();
      await project.succeed(["taint", "tenancy_account.acme"]);
      const replaced = await project.run(["apply", "-auto-approve"]);
      expect(said(replaced)).not.toMatch(/Error|exists/);
      expect(replaced.stdout).toContain("2 added, 0 changed, 2 destroyed");
      await project.expectNoChange();
    },
  );

  test("a user is replaced on request, without a word about the one that goes", async () => {
    const project = await open();
    project.simulator.records.createAccount({ name: "acme", password: "secret" });
    await project.configure(`
      data "tenancy_account" "acme" {
        name = "acme"
      }
      resource "tenancy_user_profile" "jane" {
        username    = "jane"
        account_id  = data.tenancy_account.acme.id
        permissions = {}
      }`);
    await project.apply();
    const outcome = await project.run(["apply", "-auto-approve", "-replace=tenancy_user_profile.jane"]);
    expect(said(outcome)).not.toMatch(/Warning|Error/);
    expect(outcome.stdout).toContain("1 added, 0 changed, 1 destroyed");
    await project.expectNoChange();
  });

  test("what somebody else made is refused, and told how to take in", async () => {
    const project = await open({ provider: "" });
    project.simulator.records.createAccount({ name: "acme", password: "secret" });
    await project.configure(account("acme"));
    expect(said(await project.run(["plan"]))).toMatch(
      /Warning: An object exists already and is not managed .*Account "acme" exists, and this configuration does not manage it.*`import` block/,
    );
    expect(said(await project.run(["apply", "-auto-approve"]))).toContain('Error: account "acme" exists');
    await project.succeed(["import", "tenancy_account.acme", "acme"]);
    await project.expectNoChange();
  });

  test("a user who is called like the account is another one than the primary user", async () => {
    const project = await open();
    const { records } = project.simulator;
    const { id } = records.createAccount({ name: "acme", password: "secret" });
    const primary = records.profile("acme");
    await project.configure(`
      resource "tenancy_user_profile" "acme" {
        username    = "acme"
        account_id  = "${id}"
        permissions = {}
      }`);
    await project.apply();
    await project.expectNoChange();
    expect(records.profile("acme@acme").id).not.toBe(primary.id);
    expect(records.profile("acme")).toEqual(primary);
    await project.succeed(["destroy", "-auto-approve"]);
    expect(records.profile("acme")).toEqual(primary);
  });

  test("a run does not weaken the user that it works as", async () => {
    const project = await open();
    await project.configure(account("system", "deletion_protection = false"));
    await project.succeed(["import", "tenancy_account.acme", "system"]);
    await project.configure(account("system", "access_api = false"));
    const outcome = said(await project.run(["plan"]));
    expect(outcome).toContain("takes its API access");
    expect(outcome).toContain("access_api = false");
  });

  test("a user who was renamed outside is not replaced for it; one whose declaration has another name is", async () => {
    const project = await open();
    const { id } = project.simulator.records.createAccount({ name: "acme", password: "secret" });
    const user = (username: string) =>
      project.configure(`
        resource "tenancy_user_profile" "jane" {
          username    = "${username}"
          account_id  = "${id}"
          permissions = {}
        }`);
    await user("jane");
    await project.apply();
    const renamed = (body: unknown): unknown =>
      JSON.parse(JSON.stringify(body).replaceAll("jane@acme", "eve@acme"));
    project.simulator.fail({ method: "GET", path: /user-profile/, alter: renamed, times: 99 });
    const outcome = await project.run(["apply", "-auto-approve"]);
    expect(said(outcome)).toMatch(
      /Error: user profile "jane@acme" was renamed outside this configuration: it is now "eve@acme"/,
    );
    project.simulator.clearFaults();
    await project.expectNoChange();
    await user("joe");
    expect(said(await project.run(["apply", "-auto-approve"]))).not.toContain("TENANCY_");
    await project.expectNoChange();
  });

  test("lists that are not whole forget nothing", async () => {
    const project = await open();
    await project.configure(account("acme"));
    await project.apply();
    const { id } = project.simulator.records.account("acme");
    project.simulator.fail({ path: `/api/account/${id}`, status: 404, times: 9 });
    project.simulator.fail({ path: "/api/account", alter: () => [], times: 9 });
    expect(said(await project.run(["plan"]))).toContain("TENANCY_NOT_VERIFIED");
    project.simulator.clearFaults();
    await project.expectNoChange();
  });

  test("a record that somebody changed after the plan is left alone; one that only looks changed is not", async () => {
    const project = await open();
    await project.configure(account("acme", "limits_vss_num = 1"));
    await project.apply();
    const { records } = project.simulator;

    await project.configure(account("acme", "limits_vss_num = 2"));
    await project.plan();
    records.patchAccount("acme", { limits: { vss_num: 7 } });
    expect(said(await project.run(["apply", "planned"]))).toContain("TENANCY_PLAN_OUTDATED");
    expect(records.account("acme").limits.vss_num).toBe(7);

    await project.plan();
    records.patchAccount("acme", { limits: { vss_num: 8 } });
    records.patchAccount("acme", { limits: { vss_num: 7 } });
    await project.succeed(["apply", "planned"]);
    expect(records.account("acme").limits.vss_num).toBe(2);
  });

  test("a record that somebody changed after the plan is not deleted; one that only looks changed is", async () => {
    const project = await open();
    const { records } = project.simulator;
    await project.configure(account("acme", "deletion_protection = false"));
    await project.apply();

    await project.succeed(["plan", "-destroy", "-out=planned"]);
    records.patchAccount("acme", { limits: { vss_num: 7 } });
    expect(said(await project.run(["apply", "planned"]))).toContain("TENANCY_PLAN_OUTDATED");
    expect(records.accounts.map(({ name }) => name)).toContain("acme");

    await project.succeed(["plan", "-destroy", "-out=planned"]);
    records.patchAccount("acme", { limits: { vss_num: 8 } });
    records.patchAccount("acme", { limits: { vss_num: 7 } });
    await project.succeed(["apply", "planned"]);
    expect(records.accounts.map(({ name }) => name)).not.toContain("acme");
  });

  test("a user whom somebody changed, and who is no longer declared, is deleted as the plan has found the user", async () => {
    const project = await open();
    const jane = `
      resource "tenancy_user_profile" "jane" {
        username    = "jane"
        account_id  = tenancy_account.acme.id
        permissions = {}
      }`;
    await project.configure(account("acme") + jane);
    await project.apply();
    await project.configure(account("acme"));
    project.simulator.records.patchProfile("jane@acme", { xref: "changed" });
    // Without a refresh every Terraform shows the delete with the values of the state.
    expect(said(await project.run(["plan", "-refresh=false"]))).toMatch(
      /Warning: An object has changed .* and will be deleted User profile "jane@acme" has changed.*xref.*TENANCY_DELETED_AS_IT_IS/,
    );
    await project.succeed(["plan", "-out=planned"]);
    project.simulator.records.patchProfile("jane@acme", { xref: "changed again" });
    expect(said(await project.run(["apply", "planned"]))).toContain("TENANCY_PLAN_OUTDATED");
    await project.apply();
    expect(project.simulator.records.profiles.map(({ login }) => login)).not.toContain("jane@acme");
  });

  test("an account that the caller does not see is not destroyed without a word: it stays, and stays in the state", async () => {
    const project = await open();
    await project.configure(account("acme", "deletion_protection = false"));
    await project.apply();
    const { id } = project.simulator.records.account("acme");
    const hide = () => {
      project.simulator.fail({ path: `/api/account/${id}`, status: 404, times: 9 });
      project.simulator.fail({ path: "/api/account", alter: () => [], times: 9 });
    };
    hide();
    const destroyed = await project.run(["destroy", "-auto-approve", "-refresh=false"]);
    expect(destroyed.code).toBe(1);
    expect(said(destroyed)).toContain("TENANCY_NOT_VERIFIED");
    project.simulator.clearFaults();
    await project.expectNoChange();

    await project.succeed(["plan", "-destroy", "-out=planned"]);
    hide();
    expect(said(await project.run(["apply", "planned"]))).toContain("TENANCY_NOT_VERIFIED");
    project.simulator.clearFaults();
    await project.expectNoChange();

    // A node that lags: the second answer has it.
    await project.succeed(["plan", "-destroy", "-out=planned"]);
    project.simulator.fail({ path: `/api/account/${id}`, status: 404 });
    await project.succeed(["apply", "planned"]);
    expect(project.simulator.records.accounts.map(({ name }) => name)).not.toContain("acme");
  });

  test("what is gone already is destroyed without a word", async () => {
    const project = await open();
    await project.configure(account("acme", "deletion_protection = false"));
    await project.apply();
    project.simulator.records.deleteAccount("acme");
    const outcome = await project.run(["destroy", "-auto-approve", "-refresh=false"]);
    expect(said(outcome)).not.toContain("TENANCY_");
    expect(outcome.stdout).toContain("1 destroyed");
  });

  test("a record that somebody changed after the plan is not replaced; one that only looks changed is", async () => {
    const project = await open();
    const { records } = project.simulator;
    const { id: other } = records.createAccount({ name: "other", password: "secret" });
    const declare = (username: string) =>
      project.configure(`${account("acme", "deletion_protection = false")}
        resource "tenancy_user_profile" "jane" {
          username    = "${username}"
          account_id  = "${other}"
          permissions = {}
        }`);
    const replace = ["plan", "-out=planned", "-replace=tenancy_account.acme"];
    await declare("jane");
    await project.apply();
    const { id } = records.account("acme");

    await declare("joe");
    await project.succeed(replace);
    records.patchAccount("acme", { limits: { vss_num: 7 } });
    records.patchProfile("jane@other", { email: "changed@example.com" });
    const refused = said(await project.run(["apply", "planned"]));
    expect(refused).toMatch(/account "acme"[^]*TENANCY_PLAN_OUTDATED/);
    expect(refused).toMatch(/user profile "jane@other"[^]*TENANCY_PLAN_OUTDATED/);
    expect(records.account("acme").id).toBe(id);
    expect(records.profile("jane@other").email).toBe("changed@example.com");

    await project.succeed(replace);
    records.patchAccount("acme", { limits: { vss_num: 8 } });
    records.patchAccount("acme", { limits: { vss_num: 7 } });
    await project.succeed(["apply", "planned"]);
    expect(records.account("acme").id).not.toBe(id);
    await project.expectNoChange();
  });
});
