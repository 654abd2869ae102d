/** The provider as it is installed, where the service is reached through a proxy alone. */
import { writeFile } from "node:fs/promises";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { built, tenancy } from "../../support/built-command";
import { SERVICE_CERTIFICATE } from "../../support/certificates";
import { startProxy, type Proxy } from "../../support/proxy";
import { withEachEngine } from "../../support/terraform/engines";
import { said } from "../../support/terraform/fixture";
import { TerraformWorkspace } from "../../support/terraform/workspace";

beforeAll(built, 300_000);

withEachEngine((engine) => {
  let service: Simulator;
  let secure: Server;
  let proxy: Proxy;
  let workspace: TerraformWorkspace;
  let environment: Record<string, string>;

  beforeEach(async () => {
    service = await startSimulator();
    const port = Number(new URL(service.baseUrl).port);
    secure = createServer({ ...SERVICE_CERTIFICATE }, (client) => {
      const upstream = connect(port, "127.0.0.1");
      client.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
      client.pipe(upstream).pipe(client);
    });
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    proxy = await startProxy((secure.address() as AddressInfo).port);
    workspace = await TerraformWorkspace.create(engine.program);
    const authority = join(workspace.home, "ca.pem");
    await writeFile(authority, SERVICE_CERTIFICATE.cert);
    environment = {
      HOME: workspace.home,
      HTTPS_PROXY: `http://jane:proxy-secret@${proxy.address}`,
      TENANCY_BASE_URL: "https://storage.test",
      TENANCY_USERNAME: service.username,
      TENANCY_PASSWORD: service.password,
      TENANCY_CA_FILE: authority,
    };
    await tenancy(["plugin", "install"], { folder: workspace.folder, environment });
    await workspace.configure(`
      terraform {
        required_providers {
          tenancy = { source = "tenancy/tenancy" }
        }
      }
      provider "tenancy" {
        retry_timeout = "0s"
      }
      resource "tenancy_account" "acme" {
        name                = "acme"
        deletion_protection = false
      }`);
    await workspace.succeed(["init"], { environment });
  });
  afterEach(async () => {
    await workspace.remove();
    await proxy.close();
    await new Promise((resolve) => secure.close(resolve));
    await service.close();
  });

  test("Terraform's environment names the proxy: every connection of a run is a tunnel through it", async () => {
    await workspace.succeed(["apply", "-auto-approve"], { environment });
    await workspace.succeed(["plan", "-detailed-exitcode"], { environment });
    expect(service.records.account("acme").name).toBe("acme");
    expect(proxy.asked.length).toBeGreaterThan(1);
    for (const head of proxy.asked) expect(head).toMatch(/^CONNECT storage\.test:443 HTTP\/1\.1\r\n/);
    expect(await workspace.readState()).not.toContain("proxy-secret");
  });

  test("a service that no proxy is for is asked directly, and the error names no proxy", async () => {
    const direct = { ...environment, NO_PROXY: "storage.test" };
    const outcome = said(await workspace.run(["plan"], { environment: direct }));
    expect(outcome).toContain("no connection to https://storage.test");
    expect(outcome).not.toContain(proxy.address);
    expect(proxy.asked).toEqual([]);
  });
});
