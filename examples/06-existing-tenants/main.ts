/** A service that was filled by hand: one tenant is imported, and another one is deleted. */
import { App, TerraformStack } from "cdktf";
import { Deletion, Permissions, TenancyProvider, Tenant } from "tenancy";

const app = new App();
const stack = new TerraformStack(app, "existing-tenants");
new TenancyProvider(stack, "service");

const initech = new Tenant(stack, "initech", {
  name: "initech",
  // The rights that the primary user has already, so that the import takes none away. Restrict them later, in a change of its own.
  permissions: Permissions.accountAdmin(),
  primaryContact: { company: "Initech" },
  users: { peter: { permissions: Permissions.operator() } },
});

// Without these lines the plan stops: Tenancy never manages an object silently that it has not created. The objects are found by name and login,
// brought to the declared settings, and keep their passwords. Once an apply has recorded them, the line may go.
initech.importFrom({ users: true });

// A new user comes after the import, because the user does not exist yet.
initech.addUser("csi", { permissions: Permissions.none().allow("vss.manage_snapshots") });
initech.addToken("csi-prod", { user: "csi" });

// An account is never deleted because its declaration is missing. This line deletes it, if it is empty. It also has the account's id, because Tenancy
// has not created the account: the name could mean another account by now. After the apply, remove the line.
new Deletion(stack, "globex-left", { account: "globex", id: "account:1:3" });

app.synth();
