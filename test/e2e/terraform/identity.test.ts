/** What a record is told from all others by, in Terraform's own words, which begin with 1.12. */
import { withNextTerraform } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

withNextTerraform((engine, oldest) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  const ACCOUNT = `resource "tenancy_account" "acme" { name = "acme" }`;
  const jane = (email: string) => `
    resource "tenancy_user_profile" "jane" {
      username   = "jane"
      account_id = tenancy_account.acme.id
      email      = "${email}"
    }`;
  const importing = (to: string, identity: string) => `
    import {
      to       = ${to}
      identity = ${identity}
    }`;

  /** The identities in the state file, by address. */
  async function identities(): Promise<Readonly<Record<string, unknown>>> {
    const state = JSON.parse(await workspace.engine.readState()) as StateFile;
    return Object.fromEntries(
      state.resources.map(({ type, name, instances }) => [`${type}.${name}`, instances[0]?.identity ?? null]),
    );
  }

  function live() {
    const { records } = workspace.simulator;
    const account = records.createAccount({ name: "acme", password: "secret" });
    const profile = records.createProfile("acme", { username: "jane", email: "j@acme.example" });
    return {
      account: { id: account.id, serial: account.serial },
      profile: { id: profile.id, serial: profile.serial },
    };
  }

  test("an account and its user are imported by identity, which state holds and an update keeps", async () => {
    const { account, profile } = live();
    await workspace.configure(
      ACCOUNT +
        jane("j@acme.example") +
        importing("tenancy_account.acme", `{ serial = "${account.serial}" }`) +
        importing("tenancy_user_profile.jane", `{ id = "${profile.id}" }`),
    );
    expect(await workspace.apply()).toContain("2 imported, 0 added, 0 changed, 0 destroyed");
    const expected = { "tenancy_account.acme": account, "tenancy_user_profile.jane": profile };
    expect(await identities()).toEqual(expected);

    await workspace.configure(ACCOUNT + jane("jane@acme.example"));
    expect(await workspace.apply()).toContain("0 added, 1 changed, 0 destroyed");
    await workspace.expectNoChange();
    expect(await identities()).toEqual(expected);
  });

  test("what is created has an identity, a token has none, and all of it is destroyed", async () => {
    await workspace.configure(`
      resource "tenancy_account" "acme" {
        name                = "acme"
        deletion_protection = false
      }
      ${jane("j@acme.example")}
      resource "tenancy_user_profile" "csi" {
        username    = "csi"
        account_id  = tenancy_account.acme.id
        password_wo = "a-password-of-csi"
        password_wo_version = 1
      }
      resource "tenancy_authorization" "csi" {
        login       = tenancy_user_profile.csi.login
        name        = "csi"
        login_with   = "password"
        password_wo = "a-password-of-csi"
      }`);
    await workspace.apply();
    const { records } = workspace.simulator;
    const { id, serial } = records.profile("jane@acme");
    expect(await identities()).toMatchObject({
      "tenancy_user_profile.jane": { id, serial },
      "tenancy_authorization.csi": null,
    });
    await workspace.expectNoChange();
    await workspace.destroy();
    expect(records.accounts.map(({ name }) => name)).not.toContain("acme");
  });

  test("a user who is made anew has the identity of the new one", async () => {
    await workspace.configure(ACCOUNT + jane("j@acme.example"));
    await workspace.apply();
    const before = await identities();
    await workspace.configure(
      (ACCOUNT + jane("j@acme.example")).replace('username   = "jane"', 'username   = "janet"'),
    );
    await workspace.apply();
    const after = await identities();
    expect(after["tenancy_account.acme"]).toEqual(before["tenancy_account.acme"]);
    const { id, serial } = workspace.simulator.records.profile("janet@acme");
    expect(after["tenancy_user_profile.jane"]).toEqual({ id, serial });
  });

  test("an identity of nothing, or of two things, is an error", async () => {
    const { account } = live();
    const plan = async (identity: string) => {
      await workspace.configure(ACCOUNT + importing("tenancy_account.acme", identity));
      return said(await workspace.run(["plan"]));
    };
    expect(await plan("{}")).toContain("an identity needs id or serial");
    expect(await plan(`{ nmae = "acme" }`)).toContain("an identity needs id or serial");
    expect(await plan(`{ id = "account:1:99999" }`)).toContain("TENANCY_NO_SUCH_OBJECT");
    expect(await plan(`{ id = "account:1:99999", serial = "${account.serial}" }`)).toContain(
      "The identity is not that of one object",
    );
    await workspace.configure(
      `resource "tenancy_authorization" "csi" { name = "csi" }` +
        importing("tenancy_authorization.csi", `{ serial = "x" }`),
    );
    const token = await workspace.run(["plan"]);
    expect(token.code).toBe(1);
    expect(said(token)).toContain("identity");
  });

  test("state goes from Terraform 1.11 to a newer one and back, without a change", async () => {
    const old = { program: oldest };
    await workspace.configure(ACCOUNT + jane("j@acme.example"));
    await workspace.succeed(["apply", "-auto-approve"], old);
    expect(await identities()).toEqual({ "tenancy_account.acme": null, "tenancy_user_profile.jane": null });
    await workspace.expectNoChange();
    await workspace.succeed(["apply", "-refresh-only", "-auto-approve"]);
    const { id, serial } = workspace.simulator.records.profile("jane@acme");
    expect(await identities()).toMatchObject({ "tenancy_user_profile.jane": { id, serial } });
    await workspace.succeed(["plan", "-detailed-exitcode"], old);
    await workspace.configure(ACCOUNT + jane("jane@acme.example"));
    await workspace.succeed(["apply", "-auto-approve"], old);
    await workspace.expectNoChange();
  });
});

interface StateFile {
  readonly resources: readonly {
    readonly type: string;
    readonly name: string;
    readonly instances: readonly { readonly identity?: unknown }[];
  }[];
}
