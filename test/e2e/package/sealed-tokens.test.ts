/** The built package seals and opens tokens, in the Node that runs it: covers the bundle of src/age/age-library.ts. */
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { type AgeReader, ageReader } from "../../support/age";
import { built, tenancy } from "../../support/built-command";
import { CommandProject } from "../../support/command";
import { temporaryFolder } from "../../support/temp-folder";
import { withEachEngine } from "../../support/terraform/engines";
import { TerraformWorkspace } from "../../support/terraform/workspace";

let service: Simulator;
let reader: AgeReader;
beforeAll(() => built());
beforeEach(async () => {
  service = await startSimulator();
  reader = await ageReader();
});
afterEach(() => service.close());

const folder = temporaryFolder();
const environment = () => ({
  TENANCY_BASE_URL: service.baseUrl,
  TENANCY_USERNAME: service.username,
  TENANCY_PASSWORD: service.password,
  TENANCY_OWNER: "acme-platform",
});

test("the command seals a token, and writes it for whoever has the identity", async () => {
  const project = new CommandProject(folder());
  await project.declare({
    prod: {
      provider: { tenancy: [{}] },
      resource: { tenancy_authorization: { own: { name: "own", seal_to: [reader.recipient] } } },
    },
  });
  const run = (words: readonly string[], more: object = {}) =>
    tenancy(words, { folder: project.folder, environment: { ...environment(), ...more } });
  expect(await run(["apply", "--yes", "--init-state"])).toMatchObject({ code: 0 });
  const words = ["token", "write", "own", "--as", "json"];
  const refused = await run(words);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("TENANCY_SEALED_UNREADABLE");
  const { stdout } = await run(words, { TENANCY_IDENTITY: reader.identity });
  const { access_token: secret } = JSON.parse(stdout) as { readonly access_token: string };
  const answer = await fetch(`${service.baseUrl}/api/status/authorization`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(answer.status).toBe(200);
});

withEachEngine(({ program }) => {
  test("the installed provider seals a token, and opens it with the identity in its environment", async () => {
    const workspace = await TerraformWorkspace.create(program);
    try {
      const home = { HOME: workspace.home };
      await tenancy(["plugin", "install"], { folder: workspace.folder, environment: home });
      await workspace.configure(`
        terraform {
          required_providers {
            tenancy = { source = "tenancy/tenancy" }
          }
        }
        provider "tenancy" {}
        resource "tenancy_authorization" "own" {
          name    = "own"
          seal_to = ["${reader.recipient}"]
        }
        ephemeral "tenancy_access_token" "own" {
          sealed = tenancy_authorization.own.access_token_sealed
        }
        resource "tenancy_account" "acme" {
          name                = "acme"
          password_wo         = ephemeral.tenancy_access_token.own.access_token
          password_wo_version = 1
        }`);
      await workspace.succeed(["init"]);
      const withIdentity = { ...environment(), TENANCY_IDENTITY: reader.identity };
      await workspace.succeed(["apply", "-auto-approve"], { environment: withIdentity });
      const refused = await workspace.run(["plan"], { environment: environment() });
      expect(refused.stderr).toContain("TENANCY_SEALED_UNREADABLE");
      const { body } = service.requests.find(
        ({ method, path }) => method === "POST" && path === "/api/account",
      ) as { readonly body: { readonly password: string } };
      expect(body.password).toMatch(/^1\//);
      expect(await workspace.readState()).not.toContain(body.password);
    } finally {
      await workspace.remove();
    }
  });
});
