/** One declaration for the embedded engine, Terraform and OpenTofu, with a rollout that follows each rotation of a token. */
import { join } from "node:path";
import { NullProvider } from "@cdktf/provider-null/lib/provider";
import { Resource as NullResource } from "@cdktf/provider-null/lib/resource";
import { App, TerraformOutput, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "tenancy";

const app = new App();
const stack = new TerraformStack(app, "terraform");
new TenancyProvider(stack, "service");
new NullProvider(stack, "null");

const acme = new Tenant(stack, "acme", {
  name: "acme",
  permissions: Permissions.none(),
  users: { csi: { permissions: Permissions.none().allow("vss.manage_snapshots") } },
  // Change the quarter, and the token is rotated.
  tokens: { "csi-prod": { user: "csi", keepers: { quarter: "2026-Q1" } } },
});
const { serial } = acme.token("csi-prod").authorization;

// Each rotation creates a token with another serial number, so Terraform replaces this resource.
const rollout = new NullResource(stack, "rollout", { triggers: { serial } });

// Terraform then runs the command. The embedded engine runs no commands: there, the pipeline compares the output.
if (process.env["ENGINE"] === "terraform")
  rollout.provisioners = [{ type: "local-exec", command: `sh '${join(__dirname, "rollout.sh")}' ${serial}` }];

new TerraformOutput(stack, "token_serial", { value: serial });

app.synth();
