/** `terraform test` with `mock_provider`: tests of a module that need neither a service nor credentials. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createProvider } from "../../../src/provider";
import { attachProvider, type AttachedProvider } from "../../support/attached-provider";
import { withEachEngine } from "../../support/terraform/engines";
import { TerraformWorkspace } from "../../support/terraform/workspace";

withEachEngine(({ program, registry }) => {
  let provider: AttachedProvider;
  let workspace: TerraformWorkspace;
  beforeEach(async () => {
    provider = await attachProvider(() => createProvider({}));
    workspace = await TerraformWorkspace.create(program);
  });
  afterEach(async () => {
    await workspace.remove();
    await provider.close();
  });

  const environment = () => ({ TF_REATTACH_PROVIDERS: provider.reattach(`${registry}/tenancy/tenancy`) });

  async function tested(resources: string, tests: string) {
    await workspace.configure(`
      terraform {
        required_providers {
          tenancy = { source = "tenancy/tenancy" }
        }
      }
      ${resources}`);
    await writeFile(join(workspace.folder, "main.tftest.hcl"), tests);
    await workspace.succeed(["init"], { environment: environment() });
    const { code, stdout, stderr } = await workspace.run(["test"], { environment: environment() });
    return { code, said: stdout + stderr };
  }

  const ACCOUNT = `
    resource "tenancy_account" "acme" {
      name = "acme"
    }`;

  test("a mocked account and its token have the declared values, and made-up ones for what the service would give", async () => {
    const outcome = await tested(
      `${ACCOUNT}
      resource "tenancy_authorization" "own" {
        name  = "own"
        login = tenancy_account.acme.name
      }
      output "token" {
        value     = tenancy_authorization.own.access_token
        sensitive = true
      }`,
      `
      mock_provider "tenancy" {
        mock_resource "tenancy_account" {
          defaults = { id = "account:1:7" }
        }
      }
      run "makes_a_tenant" {
        assert {
          condition     = tenancy_account.acme.name == "acme" && tenancy_account.acme.id == "account:1:7"
          error_message = "not the account that was declared"
        }
        assert {
          condition     = length(output.token) > 0
          error_message = "no token"
        }
      }`,
    );
    expect(outcome).toMatchObject({
      code: 0,
      said: expect.stringContaining("1 passed, 0 failed") as string,
    });
  });

  test("a mocked user has the rights that are declared, and the function works without a service", async () => {
    const outcome = await tested(
      `${ACCOUNT}
      resource "tenancy_user_profile" "csi" {
        account_id  = tenancy_account.acme.id
        username    = "csi"
        permissions = { "vss.manage_snapshots" = true }
      }
      output "observer" {
        value = length(provider::tenancy::permissions_preset("observer")) > 0
      }`,
      `
      mock_provider "tenancy" {}
      run "makes_a_user" {
        assert {
          condition     = tenancy_user_profile.csi.username == "csi"
          error_message = "not the user that was declared"
        }
        assert {
          condition     = tenancy_user_profile.csi.permissions["vss.manage_snapshots"] && output.observer
          error_message = "not the rights that were declared"
        }
      }`,
    );
    expect(outcome).toMatchObject({
      code: 0,
      said: expect.stringContaining("1 passed, 0 failed") as string,
    });
  });
});
