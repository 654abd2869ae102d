/** A company's storage: three tenants, teams with presets, machines with tokens. */
import { App, TerraformOutput, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "tenancy";
import type { Construct } from "constructs";
import { machine, team } from "./team";

class Company extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new TenancyProvider(this, "service", { owner: "company-platform" });

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
      tokens: {
        "csi-prod": { user: "csi", keepers: { cluster: "prod" } },
        nightly: { user: "backup" },
      },
    });

    new Tenant(this, "analytics", {
      name: "analytics",
      permissions: Permissions.none(),
      primaryContact: { company: "Analytics", email: "storage@analytics.example" },
      limits: { vssNum: 5, sizeReserveTotal: null },
      provisioning: { tagsInclude: ["ssd"] },
      users: {
        ...team("analytics.example", Permissions.provisioner(), "grace", "edsger"),
        ...team("analytics.example", Permissions.keyManager(), "alan"),
        spark: machine("account.read_object_storage", "account.write_object_storage"),
      },
      tokens: { "spark-jobs": { user: "spark", retainPreviousFor: "24h" } },
    });

    new Tenant(this, "archive", {
      name: "archive",
      permissions: Permissions.none(),
      primaryContact: { company: "Archive", email: "storage@archive.example" },
      users: {
        ...team("archive.example", Permissions.accountAdmin().deny("vss.remove_vss"), "barbara"),
        ...team("archive.example", Permissions.observer(), "donald", "leslie"),
      },
    });

    new TerraformOutput(this, "csi_token", { value: shop.token("csi-prod").accessToken, sensitive: true });
  }
}

const app = new App();
new Company(app, "company");
app.synth();
