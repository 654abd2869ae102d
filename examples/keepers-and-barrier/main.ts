/** Tokens that rotate with their keepers, and wait for other objects before they are created. */
import { NullProvider } from "@cdktf/provider-null/lib/provider";
import { Resource as NullResource } from "@cdktf/provider-null/lib/resource";
import { App, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "tenancy";

const app = new App();
const stack = new TerraformStack(app, "keepers-and-barrier");
new TenancyProvider(stack, "service", { owner: "keepers-and-barrier" });
new NullProvider(stack, "null");

const snapshots = Permissions.none().allow("vss.manage_snapshots");
const acme = new Tenant(stack, "acme", { name: "acme", users: { csi: { permissions: snapshots } } });
const globex = new Tenant(stack, "globex", { name: "globex", users: { csi: { permissions: snapshots } } });

// Change the quarter, and the tokens of all clusters rotate: the old ones stay valid for another seven days.
const rotation = new NullResource(stack, "rotation", { triggers: { quarter: "2026-Q1" } });

// No token before every tenant is ready.
const ready = new NullResource(stack, "ready", {
  dependsOn: [acme.user("csi").userProfile, globex.user("csi").userProfile],
});

for (const tenant of [acme, globex]) {
  tenant.addToken("csi-prod", { user: "csi", keepers: { rotation: rotation.id }, dependsOn: [ready] });
}

app.synth();
