/** What docs/manual/how-to/move-to-terraform.md says, step by step. */
import { join } from "node:path";
import { LocalBackend, TerraformStack, type App } from "cdktf";
import { Permissions, Secret, TenancyProvider, Tenant } from "tenancy";
import { attachProvider, type AttachedProvider } from "../../support/attached-provider";
import { createProvider } from "../../../src/provider";
import { projects, writes } from "../../support/projects";
import { withEachEngine } from "../../support/terraform/engines";
import { TerraformWorkspace } from "../../support/terraform/workspace";

const start = projects();
const secrets = { TF_VAR_jane_password: "change-me-soon" };

withEachEngine(({ program, registry }) => {
  let provider: AttachedProvider;
  let terraform: TerraformWorkspace | undefined;

  afterEach(async () => {
    await terraform?.remove();
    await provider.close();
  });

  test("what the embedded engine made is taken in, and there is nothing left to change", async () => {
    const project = await start();
    const { service } = project;
    provider = await attachProvider(() => createProvider(project.environment));

    await project.apply(project.synthesizeApp(declare()), { environment: secrets });
    const { outdir } = project.synthesizeApp(declare(join(project.folder, "terraform.tfstate")));
    terraform = await TerraformWorkspace.create(program, join(outdir, "stacks", "prod"));
    const environment = {
      ...secrets,
      TF_REATTACH_PROVIDERS: provider.reattach(`${registry}/tenancy/tenancy`),
    };
    const run = (...words: readonly string[]) => terraform!.succeed(words, { environment });

    await run("init");
    const before = service.requests.length;
    expect(await run("plan")).toContain("Plan: 3 to import, 1 to add, 2 to change, 0 to destroy.");
    await run("apply", "-auto-approve");
    const written = writes(service.requests.slice(before));
    // The contact's address, which the service shows nobody; then the new token, created with a passing password.
    expect(written.map((request) => request.replace(/\/[^/]*:.*$/, ""))).toEqual([
      "PATCH /api/account",
      "PATCH /api/user-profile",
      "POST /api/authorization",
      "PATCH /api/user-profile",
    ]);
    await run("plan", "-detailed-exitcode");
  });
});

/** @param state where Terraform keeps its state; absent for the embedded engine */
function declare(state?: string): (app: App) => void {
  return (app) => {
    const stack = new TerraformStack(app, "prod");
    new TenancyProvider(stack, "service", { owner: "acme-platform" });
    const acme = new Tenant(stack, "acme", {
      name: "acme",
      primaryContact: { company: "Acme", email: "storage@acme.example" },
      limits: { vssNum: 20 },
      users: {
        jane: {
          email: "jane@acme.example",
          password: Secret.variable("jane_password"),
          permissions: Permissions.operator(),
        },
        csi: { permissions: Permissions.none().allow("vss.manage_snapshots") },
      },
      tokens: { "csi-prod": { user: "csi" } },
    });
    if (state === undefined) return;
    new LocalBackend(stack, { path: state });
    acme.importFrom({ users: true });
  };
}
