/** Three environments of one function, for a team that shares the state and approves access. */
import { App, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "tenancy";
import type { Construct } from "constructs";

/** The stack of one environment. All differences between environments are in this function, so a review sees them in one place. */
function environment(scope: Construct, name: "development" | "staging" | "production"): TerraformStack {
  const isProduction = name === "production";
  const stack = new TerraformStack(scope, name);

  // If each environment has a service of its own, its address is written here as `baseUrl`, and the tenants can have one name everywhere.
  new TenancyProvider(stack, "service");

  new Tenant(stack, "acme", {
    name: `acme-${name}`,
    permissions: Permissions.none(),
    limits: { vssNum: isProduction ? 100 : 5 },
    users: {
      csi: {
        access: { web: false, api: true },
        permissions: Permissions.none().allow("vss.manage_snapshots"),
      },
      // A user whom only production has.
      ...(isProduction && { backup: { permissions: Permissions.none().allow("vss.backup_disks") } }),
    },
    tokens: { csi: { user: "csi" } },
  });
  return stack;
}

const app = new App();
const development = environment(app, "development");
const staging = environment(app, "staging");
const production = environment(app, "production");

// A change reaches production last: if the apply of a stack fails, the stacks that depend on it are left out.
staging.addDependency(development);
production.addDependency(staging);

app.synth();
