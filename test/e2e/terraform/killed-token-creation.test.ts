/** Terraform is killed, or asked to stop, while the service creates a token for it. */
import { join, resolve } from "node:path";
import type { ChildProcess } from "node:child_process";
import { version } from "../../../package.json";
import { startSimulator, type Fault, type Simulator } from "../../../src/lib/simulator";
import { withEachEngine } from "../../support/terraform/engines";
import { installProvider } from "../../support/terraform/install-provider";
import { TerraformWorkspace, type Outcome } from "../../support/terraform/workspace";
import { until } from "../../support/until";

const root = resolve(__dirname, "../../..");
const APPLY = ["apply", "-auto-approve"];

withEachEngine((engine) => {
  let simulator: Simulator;
  let terraform: TerraformWorkspace;
  beforeEach(async () => {
    simulator = await startSimulator();
    simulator.records.createAccount({ name: "acme" });
    simulator.records.createProfile("acme", { username: "csi" });
    terraform = await TerraformWorkspace.create(engine.program);
    await installProvider(terraform.home, {
      source: "tenancy/tenancy",
      version,
      main: join(root, "src/provider/main.ts"),
      registry: engine.registry,
    });
  });
  afterEach(async () => {
    await terraform.remove();
    await simulator.close();
  });

  const configure = (year: number, members = "") =>
    terraform.configure(`
      terraform {
        required_providers {
          tenancy = { source = "tenancy/tenancy" }
        }
      }
      provider "tenancy" {
        base_url = "${simulator.baseUrl}"
        username = "${simulator.username}"
        password = "${simulator.password}"
      }
      resource "tenancy_authorization" "csi" {
        login     = "csi@acme"
        name      = "csi"
        login_with = "temporary_password"
        keepers   = { year = "${year}" }
        ${members}
      }`);

  /** Serial numbers of the tokens that the service accepts. */
  const good = () => simulator.records.authorizations.map(({ serial }) => serial);
  const creations = () =>
    simulator.requests.filter(({ method, path }) => method === "POST" && path === "/api/authorization");

  const CREATION: Fault = { method: "POST", path: "/api/authorization" };
  const TAKING_THE_PASSWORD_AWAY: Fault = {
    method: "PATCH",
    where: ({ body }) => (body as { readonly password?: unknown }).password === null,
  };

  /**
   * @param meanwhile what happens to Terraform's process
   * @param during while the service does what
   */
  async function applyAndMeanwhile(
    meanwhile: (child: ChildProcess) => void,
    during: Fault = CREATION,
  ): Promise<Outcome> {
    simulator.clearRequests();
    const slow = simulator.fail({ ...during, delay: 2_000 });
    return terraform.run(APPLY, {
      group: true,
      onStart: (child) => void until(() => slow.strikes > 0).then(() => meanwhile(child)),
    });
  }

  test.each([
    ["while the service created it", CREATION],
    ["right afterwards", TAKING_THE_PASSWORD_AWAY],
  ])("a token that Terraform never received, being killed %s, is revoked", async (_when, during) => {
    await configure(2024);
    await terraform.succeed(["init"]);
    await applyAndMeanwhile((child) => child.kill("SIGKILL"), during);
    await until(() => creations()[0]?.status === 201);
    await until(() => good().length === 0);
    await until(() => simulator.records.profile("csi@acme").password === null);
    await terraform.succeed(APPLY);
    expect(good()).toHaveLength(1);
  });

  test("a token that was to be replaced stays valid where Terraform was killed meanwhile", async () => {
    await configure(2024);
    await terraform.succeed(["init"]);
    await terraform.succeed(APPLY);
    const old = good();
    await configure(2025, 'retain_previous_for = "0s"');
    await applyAndMeanwhile((child) => child.kill("SIGKILL"));
    await until(() => creations()[0]?.status === 201);
    await until(() => good().length === 1);
    expect(good()).toEqual(old);
    await terraform.succeed(APPLY);
    expect(good()).toHaveLength(1);
    expect(good()).not.toEqual(old);
  });

  test("a token that was being created when Terraform was asked to stop is in the state", async () => {
    await configure(2024);
    await terraform.succeed(["init"]);
    await applyAndMeanwhile((child) => process.kill(-(child.pid ?? 0), "SIGINT"));
    expect(good()).toHaveLength(1);
    expect(await terraform.readState()).toContain(good()[0]);
    await terraform.succeed(["plan", "-detailed-exitcode"]);
  });
});
