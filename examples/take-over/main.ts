/** Tenants that exist already, taken into the code. */
import { App, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "tenancy";

const app = new App();
const stack = new TerraformStack(app, "take-over");
new TenancyProvider(stack, "service", { owner: "take-over" });

const initech = new Tenant(stack, "initech", {
  name: "initech",
  primaryContact: { company: "Initech" },
  users: {
    peter: { permissions: Permissions.operator() },
    // Not there yet: made as any new user.
    csi: { permissions: Permissions.none().allow("vss.manage_snapshots") },
  },
  tokens: { "csi-prod": { user: "csi" } },
});

// By name and login; an id or serial would do as well. These lines stay: they say that the records were not made here.
initech.importFrom();
initech.user("peter").importFrom();

app.synth();
