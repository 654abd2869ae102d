/** People who log in, each with permissions of their own. */
import { App, TerraformStack } from "cdktf";
import { Permissions, Secret, TenancyProvider, Tenant } from "tenancy";

const app = new App();
const stack = new TerraformStack(app, "users-and-permissions");
new TenancyProvider(stack, "service");

// The code never contains a password: the compiler refuses it. It comes from the environment, in TF_VAR_first_password.
const firstPassword = Secret.variable("first_password", { description: "First password of new people" });

new Tenant(stack, "acme", {
  name: "acme",
  permissions: Permissions.none(),
  limits: { vssNum: 20 },
  users: {
    // A preset with one right less. Declared permissions are authoritative: if a colleague grants Jane more by hand, the next apply takes it away.
    jane: {
      email: "jane@acme.example",
      password: firstPassword,
      permissions: Permissions.operator().deny("vss.resize_disks"),
    },
    // A preset with one right more. A misspelled right does not compile.
    ada: {
      email: "ada@acme.example",
      password: firstPassword,
      permissions: Permissions.observer().allow("vss.manage_snapshots"),
    },
  },
});

app.synth();
