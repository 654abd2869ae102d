/** One tenant with one person and one machine: the least that is of use. */
import { App, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "tenancy";

const app = new App();
const stack = new TerraformStack(app, "first-tenant");

// The address and the login come from TENANCY_BASE_URL, TENANCY_USERNAME and TENANCY_PASSWORD.
new TenancyProvider(stack, "service", { owner: "first-tenant" });

new Tenant(stack, "acme", {
  name: "acme",
  permissions: Permissions.none(),
  primaryContact: { company: "Acme", email: "storage@acme.example" },
  limits: { vssNum: 20 },
  users: {
    jane: { email: "jane@acme.example", permissions: Permissions.operator() },
    csi: { permissions: Permissions.none().allow("vss.manage_snapshots") },
  },
  tokens: { "csi-prod": { user: "csi" } },
});

app.synth();
