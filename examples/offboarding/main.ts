/** A tenant and a user that leave. */
import { App, TerraformStack } from "cdktf";
import { Permissions, Deletion, TenancyProvider, Tenant } from "tenancy";

const app = new App();
const stack = new TerraformStack(app, "offboarding");
new TenancyProvider(stack, "service", { owner: "offboarding" });

new Tenant(stack, "acme", {
  name: "acme",
  users: {
    jane: { permissions: Permissions.operator() },
    // bob left: a user of ours who is no longer declared is deleted, with his tokens.
  },
});

// An account is only retained when its declaration goes. This line is what deletes it, once it is empty.
new Deletion(stack, "globex-left", { account: "globex" });

app.synth();
