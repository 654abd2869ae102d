/** Rotated and revoked tokens under Terraform: covers src/resources/authorization. */
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TenancyWorkspace } from "../../support/terraform/tenancy";

const DAY = 24 * 60 * 60 * 1000;

withEachEngine((engine) => {
  let today = Date.now();
  let clock: () => Date;
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    today = Date.now();
    clock = () => new Date(today);
    workspace = await TenancyWorkspace.create(engine, { now: () => clock(), clock: () => today });
  });
  afterEach(() => workspace.close());

  const token = (year: number, members = "") =>
    workspace.configure(`
      resource "tenancy_authorization" "csi" {
        name    = "csi"
        keepers = { year = "${year}" }
        ${members}
      }`);

  const serials = () => workspace.simulator.records.authorizations.map(({ serial }) => serial);

  test("a rotated token is revoked at the first apply after its time, which refresh alone can tell", async () => {
    await token(2024);
    await workspace.apply();
    await token(2025);
    await workspace.apply();
    const [old, current] = serials();
    await workspace.expectNoChange();

    today += 8 * DAY;
    expect(await workspace.plan("-refresh=false")).toEqual([]);
    expect(await workspace.plan()).toMatchObject([
      {
        change: {
          actions: ["update"],
          before: { serial: current, previous: [{ serial: old }] },
          after: { serial: current, previous: [] },
        },
      },
    ]);
    expect(serials()).toEqual([old, current]);
    // Time goes on while the plan is looked at: what was planned is what is applied.
    today += DAY;
    await workspace.succeed(["apply", "planned"]);
    expect(serials()).toEqual([current]);
    await workspace.expectNoChange();
  });

  describe("with rotate_after", () => {
    const monthly = (members = "") => token(2024, `rotate_after = "30d"\n${members}`);
    const at = (time: string) => void (today = Date.parse(time));
    const plannedActions = async () => (await workspace.plan()).flatMap(({ change }) => change.actions);

    test("a token is rotated on its day, with overlap, and not again at midnight", async () => {
      at("2026-03-01T12:00:00Z");
      await monthly();
      await workspace.apply();
      const [first] = serials();
      at("2026-03-31T23:59:59Z");
      await workspace.expectNoChange();

      // A plan of this evening is applied after midnight: it does what it showed.
      await monthly('retain_previous_for = "8d"');
      await workspace.succeed(["plan", "-out=saved"]);
      at("2026-04-01T00:00:01Z");
      await workspace.succeed(["apply", "saved"]);
      expect(serials()).toEqual([first]);

      expect(await workspace.plan("-refresh=false")).toEqual([]);
      expect(said(await workspace.run(["plan"]))).toContain("due since 2026-04-01: a new token");
      expect(await plannedActions()).toEqual(["update"]);
      at("2026-04-01T23:59:59Z");
      await workspace.apply();
      expect(serials()).toEqual([first, expect.any(String)]);
      at("2026-04-02T00:00:01Z");
      await workspace.expectNoChange();
      at("2026-04-10T00:00:00Z");
      await workspace.apply();
      expect(serials()).toHaveLength(1);
      at("2026-05-01T23:59:59Z");
      await workspace.expectNoChange();
      at("2026-05-02T00:00:00Z");
      expect(await plannedActions()).toEqual(["update"]);
    });

    test("midnight between the two plans of an apply makes none of them inconsistent, and rotates once", async () => {
      at("2026-03-01T12:00:00Z");
      await monthly();
      await workspace.apply();
      at("2026-04-01T23:59:59Z");
      let looks = 0;
      clock = () => new Date(looks++ === 0 ? "2026-04-01T23:59:59Z" : "2026-04-02T00:00:01Z");
      await workspace.apply();
      expect(looks).toBeGreaterThan(1);
      expect(serials()).toHaveLength(2);
      await workspace.expectNoChange();
    });

    test("the age is at least a day, longer than the overlap, and known while planning", async () => {
      await monthly('retain_previous_for = "30d"');
      expect(said(await workspace.run(["validate"]))).toContain("must be longer than `retain_previous_for`");
      await token(2024, 'rotate_after = "1h"');
      expect(said(await workspace.run(["validate"]))).toContain("must be at least one day");
      await workspace.configure(`
        resource "terraform_data" "age" { input = "90d" }
        resource "tenancy_authorization" "csi" {
          name         = "csi"
          rotate_after = terraform_data.age.output
        }`);
      expect(said(await workspace.run(["plan"]))).toContain("must be known while planning");
    });
  });

  describe("of a user without access", () => {
    const csi = (access: boolean, week: number, members = "") =>
      workspace.configure(`
        resource "tenancy_account" "acme" {
          name        = "acme"
          permissions = {}
        }
        resource "tenancy_user_profile" "csi" {
          username    = "csi"
          account_id  = tenancy_account.acme.id
          permissions = {}
          access_web  = ${access}
          access_api  = ${access}
          ${members}
        }
        resource "tenancy_authorization" "prod" {
          login        = tenancy_user_profile.csi.login
          name         = "prod"
          keepers      = { week = "${week}" }
          rotate_after = "30d"
          login_with   = "temporary_password"
        }`);
    const WAITS = '"csi@acme/prod" is neither created nor rotated while its user has no access';
    const isPlanned = async () =>
      (await workspace.plan()).filter(({ address }) => address === "tenancy_authorization.prod").length > 0;

    test("a token is not created, and comes once its user has access", async () => {
      await csi(false, 1);
      const { code, stdout, stderr } = await workspace.run(["apply", "-auto-approve"]);
      expect(code).toBe(0);
      expect(said({ code, stdout, stderr })).toContain(WAITS);
      expect(serials()).toHaveLength(0);
      await workspace.expectNoChange();
      await csi(true, 1);
      await workspace.apply();
      await workspace.apply();
      expect(serials()).toHaveLength(1);
      await workspace.expectNoChange();
    });

    test("a token is rotated by neither keepers nor age, and once, when its user has access again", async () => {
      await csi(true, 1);
      await workspace.apply();
      const [first] = serials();
      await csi(false, 1);
      await workspace.apply();
      await workspace.expectNoChange();

      // Its day comes, and its keepers change.
      today += 40 * DAY;
      await workspace.expectNoChange();
      await csi(false, 2);
      expect(said(await workspace.run(["plan"]))).toContain(WAITS);
      await workspace.apply();
      expect(serials()).toEqual([first]);
      await workspace.expectNoChange();

      await csi(true, 2);
      await workspace.apply();
      await workspace.apply();
      expect(serials()).toEqual([first, expect.any(String)]);
      await workspace.expectNoChange();
      expect(await isPlanned()).toBe(false);
    });

    test("a user who loses access in the apply that would rotate the token keeps the old one", async () => {
      const ending = (week: number, last: string) => csi(true, week, `access_until = "${last}"`);
      const dayIn = (days: number) => new Date(today + days * DAY).toISOString().slice(0, 10);
      const last = dayIn(2);
      await ending(1, last);
      await workspace.apply();
      const [first] = serials();
      today += 4 * DAY;
      await ending(2, last);
      await workspace.apply();
      expect(serials()).toEqual([first]);
      await workspace.expectNoChange();
      await ending(2, dayIn(9));
      await workspace.apply();
      await workspace.apply();
      expect(serials()).toHaveLength(2);
      await workspace.expectNoChange();
    });
  });

  test("no more than so many rotated tokens stay valid", async () => {
    for (const year of [2023, 2024, 2025]) {
      await token(year);
      await workspace.apply();
      await workspace.expectNoChange();
      today += 8 * DAY;
    }
    expect(serials()).toHaveLength(2);
    await token(2026, "retain_previous = 0");
    await workspace.apply();
    await workspace.expectNoChange();
    expect(serials()).toHaveLength(1);
  });

  test.each<readonly [string, string, string]>([
    ["how many are kept", "0", "retain_previous = tonumber(terraform_data.kept.output)"],
    ["how long they are kept", "0s", "retain_previous_for = terraform_data.kept.output"],
  ])("only the apply tells %s, and ends the rotated token by it", async (_what, kept, member) => {
    for (const year of [2024, 2025]) {
      await token(year);
      await workspace.apply();
    }
    const [, current] = serials();
    await workspace.configure(`
      resource "terraform_data" "kept" { input = "${kept}" }
      resource "tenancy_authorization" "csi" {
        name    = "csi"
        keepers = { year = "2025" }
        ${member}
      }`);
    await workspace.apply();
    expect(serials()).toEqual([current]);
    await workspace.expectNoChange();
  });

  test("a token that was revoked outside is created again, and the one that it replaced stays known, and good for its time", async () => {
    await token(2024);
    await workspace.apply();
    await token(2025);
    await workspace.apply();
    const [old = "", current = ""] = serials();
    workspace.simulator.records.revokeToken(current);
    expect(await workspace.plan()).toMatchObject([{ change: { actions: ["update"] } }]);
    await workspace.apply();
    expect(serials()).toHaveLength(2);
    expect(serials()).toContain(old);
    expect(serials()).not.toContain(current);
    await workspace.expectNoChange();
    today += 8 * DAY;
    await workspace.apply();
    expect(serials()).toHaveLength(1);
    expect(serials()).not.toContain(old);
  });

  test("a rotation that would end an earlier token before its time is refused, until more of them are kept", async () => {
    for (const year of [2024, 2025]) {
      await token(year);
      await workspace.apply();
    }
    const before = serials();
    await token(2026);
    const { code, stdout, stderr } = await workspace.run(["plan"]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("TENANCY_RETIRES_EARLY");
    expect(stdout + stderr).toContain("retain_previous");
    expect(serials()).toEqual(before);
    await token(2026, "retain_previous = 2");
    await workspace.apply();
    await workspace.expectNoChange();
    expect(serials()).toHaveLength(3);
    await token(2027, 'retain_previous_for = "0s"');
    await workspace.apply();
    await workspace.expectNoChange();
    expect(serials()).toHaveLength(1);
  });

  test("a rotation that only the apply tells to end an earlier token before its time is refused then, whatever was written before", async () => {
    for (const year of [2024, 2025]) {
      await token(year);
      await workspace.apply();
    }
    const before = serials();
    await workspace.configure(`
      resource "tenancy_account" "acme" {
        name = "acme"
      }
      resource "terraform_data" "kept" {
        input      = 1
        depends_on = [tenancy_account.acme]
      }
      resource "tenancy_authorization" "csi" {
        name            = "csi"
        keepers         = { year = "2026" }
        retain_previous = terraform_data.kept.output
      }`);
    const refused = await workspace.run(["apply", "-auto-approve"]);
    expect([refused.code, said(refused)]).toEqual([1, expect.stringContaining("TENANCY_RETIRES_EARLY")]);
    expect(workspace.simulator.records.account("acme").name).toBe("acme");
    expect(serials()).toEqual(before);
    await token(2026, "retain_previous = 2");
    await workspace.succeed(["state", "rm", "tenancy_account.acme"]);
    await workspace.apply();
    await workspace.expectNoChange();
    expect(serials()).toHaveLength(3);
  });

  test("a rotation that cannot create a token is refused while it is planned", async () => {
    workspace.simulator.records.createAccount({ name: "acme", password: "secret" });
    const ofAcme = (members: string) =>
      workspace.configure(`
        resource "tenancy_authorization" "csi" {
          login = "acme"
          name  = "csi"
          ${members}
        }`);
    await ofAcme(`password_wo = "secret"`);
    await workspace.apply();
    const before = serials();
    await ofAcme(`keepers = { year = "2025" }`);
    expect(said(await workspace.run(["plan"]))).toContain("TENANCY_TOKEN_CREATION_IMPOSSIBLE");
    expect(serials()).toEqual(before);
    await ofAcme(`password_wo = "secret"\nkeepers = { year = "2025" }`);
    await workspace.apply();
    await workspace.expectNoChange();
    await ofAcme(`keepers = { year = "2025" }`);
    await workspace.expectNoChange();
  });

  test("a token whose user is gone is created again with the user, and no plan says that it is kept", async () => {
    const { records } = workspace.simulator;
    records.createAccount({ name: "acme" });
    await workspace.configure(`
      data "tenancy_account" "acme" { name = "acme" }
      resource "tenancy_user_profile" "csi" {
        account_id = data.tenancy_account.acme.id
        username   = "csi"
      }
      resource "tenancy_authorization" "csi" {
        login     = tenancy_user_profile.csi.login
        name      = "csi"
        login_with = "temporary_password"
      }`);
    await workspace.apply();
    records.deleteProfile("csi@acme");
    const outcome = await workspace.run(["plan"]);
    expect(said(outcome)).toContain("2 to add, 0 to change, 0 to destroy");
    expect(said(outcome)).not.toContain("TENANCY_TOKEN_NOT_VERIFIED");
    await workspace.apply();
    expect(serials()).toHaveLength(1);
    await workspace.expectNoChange();
  });

  test("a token that the service does not revoke stays known, and the error says so", async () => {
    await workspace.close();
    workspace = await TenancyWorkspace.create(engine, { revocation: false });
    await token(2024);
    await workspace.apply();
    await token(2025, 'retain_previous_for = "0s"');
    const { code, stderr, stdout } = await workspace.run(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("TENANCY_NOT_REVOKED");
    expect(serials()).toHaveLength(2);
    expect((await workspace.state("tenancy_authorization.csi"))["previous"]).toHaveLength(1);
    expect(await workspace.plan()).toMatchObject([{ change: { actions: ["update"] } }]);
  });

  test.each([1, 2])(
    "a user is destroyed with %s of its tokens where the service revokes none: the error says how",
    async (count) => {
      await workspace.close();
      workspace = await TenancyWorkspace.create(engine, { revocation: false });
      const { records } = workspace.simulator;
      const { id: account } = records.createAccount({ name: "acme" });
      const user = (year: number) => `
        resource "tenancy_user_profile" "csi" {
          username    = "csi"
          account_id  = "${account}"
          permissions = {}
        }
        resource "tenancy_authorization" "csi" {
          login      = tenancy_user_profile.csi.login
          name       = "csi"
          login_with = "temporary_password"
          keepers    = { year = "${year}" }
        }`;
      for (let year = 1; year <= count; year += 1) {
        await workspace.configure(user(year));
        await workspace.apply();
      }
      expect(serials()).toHaveLength(count);

      const outcome = await workspace.run(["destroy", "-auto-approve"]);
      expect(outcome.code).toBe(1);
      expect(said(outcome)).toContain("TENANCY_NOT_REVOKED");
      expect(said(outcome)).toContain("have Terraform forget the token first, with a `removed` block");
      for (const serial of serials()) expect(said(outcome)).toContain(`Revoke ${serial}`);

      await workspace.configure(`
        removed {
          from = tenancy_authorization.csi
          lifecycle {
            destroy = false
          }
        }`);
      await workspace.apply();
      expect(records.profiles.map(({ login }) => login)).not.toContain("csi@acme");
      expect(serials()).toEqual([]);
      await workspace.expectNoChange();
    },
  );

  test("the token that the run itself works with is neither destroyed nor replaced on request", async () => {
    const { baseUrl, username, password, records } = workspace.simulator;
    const workingWith = (credential: string) =>
      workspace.engine.configure(`
        terraform {
          required_providers {
            tenancy = { source = "tenancy/tenancy" }
          }
        }
        provider "tenancy" {
          base_url = "${baseUrl}"
          ${credential}
        }
        resource "tenancy_authorization" "own" {
          login               = "${username}"
          name                = "own"
          password_wo         = "${password}"
          password_wo_version = 1
        }`);
    await workingWith(`username = "${username}"\npassword = "${password}"`);
    await workspace.apply();
    const { access_token: secret } = await workspace.state("tenancy_authorization.own");
    await workingWith(`token = "${String(secret)}"`);
    const replace = ["apply", "-auto-approve", "-replace=tenancy_authorization.own"];
    for (const args of [["destroy", "-auto-approve"], replace]) {
      const { code, stderr } = await workspace.run(args);
      expect([code, stderr]).toEqual([1, expect.stringContaining("TENANCY_SELF_CHANGE")]);
    }
    expect(records.authorizations).toHaveLength(1);
    await workingWith(`username = "${username}"\npassword = "${password}"`);
    expect(await workspace.apply("-replace=tenancy_authorization.own")).toContain(
      "1 added, 0 changed, 1 destroyed",
    );
  });
});
