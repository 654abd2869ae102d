/** Secrets in the state, the plans and the log of Terraform: covers src/provider. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openSealed } from "../../../src/resources";
import { ageReader } from "../../support/age";
import { withEachEngine } from "../../support/terraform/engines";
import { TenancyWorkspace } from "../../support/terraform/tenancy";
import { unzipped } from "../../support/unzipped";

const CANARY = "canary-5f2e1b";

withEachEngine((engine) => {
  let workspace: TenancyWorkspace;
  beforeEach(async () => {
    workspace = await TenancyWorkspace.create(engine);
  });
  afterEach(() => workspace.close());

  const withSecret = { environment: { TF_VAR_secret: CANARY, TF_LOG: "trace", TF_LOG_PATH: "log" } };

  const configuration = (version: number) => `
    variable "secret" {
      type      = string
      ephemeral = true
    }
    resource "tenancy_account" "acme" {
      name                = "acme"
      password_wo         = var.secret
      password_wo_version = ${version}
    }
    resource "tenancy_user_profile" "jane" {
      username            = "jane"
      account_id          = tenancy_account.acme.id
      password_wo         = var.secret
      password_wo_version = ${version}
    }
    resource "tenancy_authorization" "csi" {
      login       = tenancy_user_profile.jane.login
      name        = "csi"
      password_wo = var.secret
      keepers     = { version = "${version}" }
    }`;

  test("write-only values are in no state, no plan and no log, and reach the service", async () => {
    for (const version of [1, 2]) {
      await workspace.configure(configuration(version));
      await workspace.succeed(["plan", "-out=planned"], withSecret);
      const plan = await readFile(join(workspace.engine.folder, "planned"));
      expect(unzipped(plan)).toContain("jane");
      expect(unzipped(plan)).not.toContain(CANARY);
      expect(await workspace.succeed(["show", "-json", "planned"])).not.toContain(CANARY);
      await workspace.succeed(["apply", "planned"], withSecret);
      expect(await workspace.engine.readState()).not.toContain(CANARY);
      await workspace.succeed(["plan", "-detailed-exitcode"], withSecret);
    }
    const sent = workspace.simulator.requests.filter(({ body }) =>
      JSON.stringify(body ?? null).includes(CANARY),
    );
    expect(sent.map(({ method, path }) => `${method} ${path.replace(/[^/]*:.*/, "…")}`)).toEqual(
      expect.arrayContaining(["POST /api/account", "POST /api/user-profile", "PATCH /api/user-profile/…"]),
    );
    expect(await readFile(join(workspace.engine.folder, "log"), "utf8")).not.toContain(CANARY);
  });

  test("tokens are sensitive wherever they stand", async () => {
    const token = (year: number) => `
      resource "tenancy_authorization" "csi" {
        name    = "csi"
        keepers = { year = "${year}" }
      }`;
    await workspace.configure(token(2024));
    await workspace.apply();
    const { access_token: first } = await workspace.state("tenancy_authorization.csi");
    await workspace.configure(token(2025));
    const plan = await workspace.succeed(["plan"]);
    const applied = await workspace.apply();
    const { access_token: second } = await workspace.state("tenancy_authorization.csi");
    const shown = await workspace.succeed(["show"]);
    for (const secret of [first, second]) {
      expect(typeof secret).toBe("string");
      expect(plan + applied + shown).not.toContain(secret);
    }
  });

  test("a session token is made for one run, and is in no state", async () => {
    await workspace.configure(`
      ephemeral "tenancy_session_token" "own" {}
      resource "tenancy_account" "acme" {
        name                = "acme"
        password_wo         = ephemeral.tenancy_session_token.own.access_token
        password_wo_version = 1
      }`);
    await workspace.apply();
    const { body } = workspace.simulator.requests.find(
      ({ method, path }) => method === "POST" && path === "/api/account",
    ) as { readonly body: { readonly password: string } };
    expect(body.password).toMatch(/^0\//);
    expect(await workspace.engine.readState()).not.toContain(body.password);
    await workspace.expectNoChange();
  });

  test("a sealed token is in no state, plan or log, and reaches a write-only argument", async () => {
    const { identity, recipient } = await ageReader();
    const environment: Record<string, string> = {};
    await workspace.close();
    workspace = await TenancyWorkspace.create(engine, { environment });
    const withLog = { environment: { TF_LOG: "trace", TF_LOG_PATH: "log" } };
    const sealed = (year: number, consumer = "") => `
      resource "tenancy_authorization" "csi" {
        name    = "csi"
        keepers = { year = "${year}" }
        seal_to = ["${recipient}"]
      }${consumer}`;
    const consumer = `
      ephemeral "tenancy_access_token" "csi" {
        sealed = tenancy_authorization.csi.access_token_sealed
      }
      resource "tenancy_account" "acme" {
        name                = "acme"
        password_wo         = ephemeral.tenancy_access_token.csi.access_token
        password_wo_version = 1
      }`;
    const secrets: string[] = [];
    for (const year of [2024, 2025]) {
      await workspace.configure(sealed(year));
      await workspace.succeed(["plan", "-out=planned"], withLog);
      const applied = await workspace.succeed(["apply", "planned"], withLog);
      const state = await workspace.state("tenancy_authorization.csi");
      expect(state["access_token"]).toBeNull();
      const secret = await openSealed(String(state["access_token_sealed"]), { TENANCY_IDENTITY: identity });
      expect(secret).toMatch(/^1\//);
      secrets.push(secret);
      const plan = unzipped(await readFile(join(workspace.engine.folder, "planned")));
      const log = await readFile(join(workspace.engine.folder, "log"), "utf8");
      for (const text of [plan, applied, log, await workspace.engine.readState()])
        for (const one of secrets) expect(text).not.toContain(one);
      await workspace.succeed(["plan", "-detailed-exitcode"], withLog);
    }

    await workspace.configure(sealed(2025, consumer));
    const refused = await workspace.run(["plan"]);
    expect(refused.code).toBe(1);
    expect(`${refused.stdout}${refused.stderr}`).toContain("age identity");
    environment["TENANCY_IDENTITY"] = identity;
    await workspace.succeed(["apply", "-auto-approve"], withLog);
    const { body } = workspace.simulator.requests.find(
      ({ method, path }) => method === "POST" && path === "/api/account",
    ) as { readonly body: { readonly password: string } };
    expect(body.password).toBe(secrets[1]);
    expect(await workspace.engine.readState()).not.toContain(body.password);
    expect(await readFile(join(workspace.engine.folder, "log"), "utf8")).not.toContain(body.password);
  });
});
