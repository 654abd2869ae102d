/** A company's storage: three tenants, teams with presets, machines with tokens. */
import { App, TerraformOutput, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "tenancy";
import type { Construct } from "constructs";
import { machine, team } from "./team";

/** A class of its own, so that a test can plan the company without running this program. */
class Company extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new TenancyProvider(this, "service");

    const shop = new Tenant(this, "shop", {
      name: "shop",
      permissions: Permissions.none(),
      primaryContact: { company: "Shop", email: "storage@shop.example" },
      billingContact: { company: "Shop Accounting", email: "invoices@shop.example" },
      limits: { vssNum: 20, sizeReserveTotal: 50_000_000_000_000 },
      users: {
        ...team("shop.example", Permissions.operator(), "jane", "bob"),
        ...team("shop.example", Permissions.observer(), "ada"),
        csi: machine("vss.update_vss", "vss.manage_internal_disks", "vss.manage_snapshots"),
        backup: machine("vss.manage_snapshots", "vss.backup_disks"),
      },
      // A user's name that is not among `users` does not compile. With another cluster among its keepers, a token is created again.
      tokens: {
        "csi-prod": { user: "csi", keepers: { cluster: "prod" } },
        nightly: { user: "backup" },
      },
    });

    new Tenant(this, "analytics", {
      name: "analytics",
      permissions: Permissions.none(),
      primaryContact: { company: "Analytics", email: "storage@analytics.example" },
      // Null removes a limit, and says so to readers of the code.
      limits: { vssNum: 5, sizeReserveTotal: null },
      provisioning: { tagsInclude: ["ssd"] },
      users: {
        ...team("analytics.example", Permissions.provisioner(), "grace", "edsger"),
        ...team("analytics.example", Permissions.keyManager(), "alan"),
        spark: machine("account.read_object_storage", "account.write_object_storage"),
      },
      // Jobs read the token when they begin and run for a day at most, so a replaced token stays valid for a day.
      tokens: { "spark-jobs": { user: "spark", retainPreviousFor: "24h" } },
    });

    new Tenant(this, "archive", {
      name: "archive",
      permissions: Permissions.none(),
      primaryContact: { company: "Archive", email: "storage@archive.example" },
      users: {
        // Everything inside the tenant, except the deletion of the storage.
        ...team("archive.example", Permissions.accountAdmin().deny("vss.remove_vss"), "barbara"),
        ...team("archive.example", Permissions.observer(), "donald", "leslie"),
      },
    });

    // For programs that install the storage driver. A token is sensitive, so a plan does not print it.
    new TerraformOutput(this, "csi_token", { value: shop.token("csi-prod").accessToken, sensitive: true });
  }
}

const app = new App();
new Company(app, "company");
app.synth();
