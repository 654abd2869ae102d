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
    // Bob has left: a managed user who is no longer declared is deleted, together with his tokens.
  },
});

// An account is retained after its declaration is removed. This line deletes it, if it is empty.
new Deletion(stack, "globex-left", { account: "globex" });

app.synth();
