/** What users of either library write. */

/** A stack with L1 and L2, with everything that the libraries treat differently: write-only values, ephemeral resources, functions. */
export function stackProgram(library: string, ours: string): string {
  return `
import { App, TerraformOutput, TerraformStack } from "${library}";
import { DataTenancyStatus, Permissions, permissionsPreset, Secret, TenancyProvider, Tenant, UserProfile } from "${ours}";

const app = new App();
const stack = new TerraformStack(app, "platform");
new TenancyProvider(stack, "service", { owner: "acme-platform" });
new DataTenancyStatus(stack, "status");

const acme = new Tenant(stack, "acme", {
  name: "acme",
  billingContact: null,
  limits: { vssNum: 20 },
  users: {
    jane: { password: Secret.variable("jane_password"), permissions: Permissions.operator() },
    csi: { permissions: Permissions.none().allow("vss.manage_snapshots") },
  },
  tokens: { "csi-prod": { user: "csi" } },
});
new UserProfile(stack, "auditor", {
  username: "auditor",
  accountId: acme.accountId,
  permissions: permissionsPreset("observer"),
});
new TerraformOutput(stack, "csi_token", { value: acme.token("csi-prod").accessToken, sensitive: true });
app.synth();
`;
}

/** A test as people write it, without a test runner. */
export function testProgram(library: string, ours: string): string {
  return `
import { strict as assert } from "node:assert";
import { Testing, TerraformStack } from "${library}";
import { TenancyProvider, Tenant } from "${ours}";
import { hasChanges, validate } from "tenancy/engine";
import { planOf, setupJest, type Plan } from "tenancy/testing";

const stack = new TerraformStack(Testing.app(), "platform");
new TenancyProvider(stack, "service");
new Tenant(stack, "acme", { name: "acme" });
planOf(stack).then((plan: Plan) => {
  assert.equal(hasChanges(plan), true);
  assert.deepEqual(plan.changes.map(({ action, address }) => [action, address]), [["create", "tenancy_account.acme"]]);
  assert.equal(typeof validate, typeof setupJest);
});
`;
}

/** Prints which of our modules are loaded by importing the constructs. */
export function loadedModules(ours: string): string {
  return `
const { sep } = require("node:path");
require("${ours}");
const inside = ["node_modules", "tenancy", ""].join(sep);
const paths = Object.keys(require.cache).filter((path) => path.includes(inside));
console.log(JSON.stringify(paths.map((path) => path.slice(path.indexOf(inside) + inside.length).split(sep).slice(0, 2).join("/"))));
`;
}
