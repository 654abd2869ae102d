import type { Answers } from "./answers";

export function mainFile(): string {
  return `import { App } from "cdktf";
import { Platform } from "./platform";

const app = new App();
new Platform(app, "platform");
app.synth();
`;
}

export function stackFile({ owner, baseUrl }: Answers): string {
  return `import { TerraformOutput, TerraformStack } from "cdktf";
import { Permissions, TenancyProvider, Tenant } from "cdktf-provider-tenancy";
import type { Construct } from "constructs";

/** The tenants of our storage. */
export class Platform extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);

    // As whom to log in comes from the environment: TENANCY_USERNAME and TENANCY_PASSWORD, or TENANCY_TOKEN.
    // The owner is what tells your records from others'. Choose it once, and keep it. Where tenants make users of their own, set
    // TENANCY_OWNER_KEY besides: then nobody else can make a record that looks like yours.
    new TenancyProvider(this, "service", {
      baseUrl: ${JSON.stringify(baseUrl)},
      owner: ${JSON.stringify(owner)},
    });

    const acme = new Tenant(this, "acme", {
      name: "acme",
      primaryContact: { company: "Acme", email: "storage@acme.example" },
      limits: { vssNum: 10 },
      users: {
        jane: { email: "jane@acme.example", permissions: Permissions.operator() },
        csi: { permissions: Permissions.none().allow("vss.manage_snapshots") },
      },
      tokens: { "csi-prod": { user: "csi" } },
    });

    new TerraformOutput(this, "csi_token", { value: acme.token("csi-prod").accessToken, sensitive: true });
  }
}
`;
}

export function testFile(): string {
  return `import { Testing } from "cdktf";
import { planOf, setupJest } from "cdktf-provider-tenancy/testing";
import { Platform } from "./platform";

setupJest();

test("the platform is made as declared, and the machine may do one thing only", async () => {
  const plan = await planOf(new Platform(Testing.app(), "platform"));
  expect(plan).toCreate("tenancy_account.acme");
  expect(plan).toGrantExactly("csi@acme", ["vss.manage_snapshots"]);
});
`;
}
