/** The smallest program: one tenant, which is an account with a quota. */
import { App, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "tenancy";

const app = new App();
const stack = new TerraformStack(app, "tenant");

// The address and the login come from TENANCY_BASE_URL, TENANCY_USERNAME and TENANCY_PASSWORD, so that no credential is in the code.
new TenancyProvider(stack, "service");

new Tenant(stack, "acme", {
  name: "acme",
  primaryContact: { company: "Acme", email: "storage@acme.example" },
  // A declared limit is compared in every plan. A limit that is not declared here is cleared.
  limits: { vssNum: 20 },
  // Each account has a primary user with the account's own name. This one needs no rights, because the next example declares users.
  permissions: Permissions.none(),
});

app.synth();
