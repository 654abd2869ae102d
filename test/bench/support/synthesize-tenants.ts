/** Synthesizes tenants as people declare them, in L2, or as many null resources: kind, size and folder in the arguments. */
import { Resource } from "@cdktf/provider-null/lib/resource";
import { NullProvider } from "@cdktf/provider-null/lib/provider";
import { App, TerraformStack } from "cdktf";
import { Permissions, Tenant } from "../../../src/constructs";
import { TenancyProvider } from "../../../src";
import { accountName, objectsOf, OWNER, username, type Size } from "./tenants";

const [kind, text, outdir = ""] = process.argv.slice(2);
const size = JSON.parse(text ?? "{}") as Size;
const app = new App({ outdir, stackTraces: false, context: { targetVersions: { terraform: ">=1.11.0" } } });
const stack = new TerraformStack(app, "bench");
if (kind === "nulls") nulls();
else tenants();
app.synth();

function nulls(): void {
  new NullProvider(stack, "service");
  for (let index = 0; index < objectsOf(size); index++) {
    new Resource(stack, `object-${index}`, {
      triggers: { name: `object-${index}`, email: `${index}@tenant.example`, role: "operator" },
    });
  }
}

function tenants(): void {
  new TenancyProvider(stack, "service", { owner: OWNER });
  const machine = Permissions.none().allow("vss.manage_snapshots", "vss.backup_disks");
  for (let account = 0; account < size.accounts; account++) {
    const name = accountName(account);
    const users = Array.from({ length: size.usersPerAccount }, (_, user) => [
      username(user),
      { email: `${username(user)}@${name}.example`, permissions: machine },
    ]);
    new Tenant(stack, name, {
      name,
      limits: { vssNum: 10 },
      users: Object.fromEntries(users) as Record<string, { email: string; permissions: Permissions }>,
    });
  }
}
