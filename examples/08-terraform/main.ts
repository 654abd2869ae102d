/** One declaration for the embedded engine, Terraform and OpenTofu, with resources of another provider and an output. */
import { NullProvider } from "@cdktf/provider-null/lib/provider";
import { Resource as NullResource } from "@cdktf/provider-null/lib/resource";
import { App, TerraformOutput, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "tenancy";

const app = new App();
const stack = new TerraformStack(app, "terraform");
new TenancyProvider(stack, "service");

// The embedded engine evaluates `null_resource` by itself. Terraform and OpenTofu run the provider.
new NullProvider(stack, "null");

const snapshots = Permissions.none().allow("vss.manage_snapshots");
const acme = new Tenant(stack, "acme", {
  name: "acme",
  permissions: Permissions.none(),
  users: { csi: { permissions: snapshots } },
});
const globex = new Tenant(stack, "globex", {
  name: "globex",
  permissions: Permissions.none(),
  users: { csi: { permissions: snapshots } },
});

// A rotation for a reason of your own: change the quarter, and all tokens that have this id among their keepers are created again.
const rotation = new NullResource(stack, "rotation", { triggers: { quarter: "2026-Q1" } });

// A barrier: no token is created before the users of all tenants exist.
const ready = new NullResource(stack, "ready", {
  dependsOn: [acme.user("csi").userProfile, globex.user("csi").userProfile],
});

const props = { user: "csi", keepers: { rotation: rotation.id }, dependsOn: [ready] };
const acmeToken = acme.addToken("csi-prod", props);
globex.addToken("csi-prod", props);

// Other programs read outputs. This one is a secret, so a plan does not print it.
new TerraformOutput(stack, "acme_token", { value: acmeToken.accessToken, sensitive: true });

app.synth();
