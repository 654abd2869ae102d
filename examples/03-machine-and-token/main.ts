/** A machine: a user with a token instead of a password. */
import { App, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "tenancy";

const app = new App();
const stack = new TerraformStack(app, "machine-and-token");
new TenancyProvider(stack, "service");

new Tenant(stack, "acme", {
  name: "acme",
  permissions: Permissions.none(),
  limits: { vssNum: 20 },
  users: {
    // The storage driver of a cluster. It uses only the API, and it may take snapshots and nothing else. So a stolen token does little harm.
    csi: {
      access: { web: false, api: true },
      permissions: Permissions.none().allow("vss.manage_snapshots"),
    },
  },
  // The user has no password, so Tenancy sets a temporary one, creates the token with it, and removes it again. The service shows the
  // token's secret once. Tenancy writes it to the state, `.tenancy/state.json`, before it reports success.
  tokens: { "csi-prod": { user: "csi" } },
});

app.synth();
