/** Access with a last day, and a token that is replaced by its age. */
import { App, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "tenancy";

const app = new App();
const stack = new TerraformStack(app, "access-that-ends");
new TenancyProvider(stack, "service");

new Tenant(stack, "acme", {
  name: "acme",
  permissions: Permissions.none(),
  users: {
    // Jane formats disks during a migration. The review of this line approves its end, too, so taking the right away needs no second review.
    jane: {
      permissions: Permissions.operator().until("2030-06-30", (more) => more.allow("vss.format_disks")),
    },
    // After this day the contractor cannot log in. The user stays, so the records of the work keep their name.
    contractor: { until: "2030-12-31", permissions: Permissions.observer() },
    csi: { access: { web: false, api: true }, permissions: Permissions.none().allow("vss.manage_snapshots") },
  },
  // The first apply after 90 days creates a new token. The old one stays valid for a week, so that its consumer can be changed over.
  tokens: { "csi-prod": { user: "csi", rotateAfter: "90d", retainPreviousFor: "7d" } },
});

app.synth();
