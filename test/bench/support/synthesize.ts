/** Synthesizes the stack that declares the tenants of a size, as a user's app would: size and folder in the arguments. */
import { App, TerraformStack } from "cdktf";
import { Account, TenancyProvider, UserProfile } from "../../../src";
import { accountBody, OWNER, userBody, type Size } from "./tenants";

const [size, outdir = ""] = process.argv.slice(2);
const { accounts, usersPerAccount } = JSON.parse(size ?? "{}") as Size;
const app = new App({ outdir, stackTraces: false, context: { targetVersions: { terraform: ">=1.11.0" } } });
const stack = new TerraformStack(app, "bench");
new TenancyProvider(stack, "service", { owner: OWNER });
for (let account = 0; account < accounts; account++) {
  const { name, limits, provisioning } = accountBody(account);
  const tenant = new Account(stack, name, {
    name,
    limitsVssNum: limits.vss_num,
    limitsSizeReserveTotal: limits.size_reserve_total,
    provisioningTagsInclude: provisioning.tags_include,
    provisioningTagsExclude: provisioning.tags_exclude,
  });
  for (let user = 0; user < usersPerAccount; user++) {
    const { username, email, level, access } = userBody(account, user);
    new UserProfile(stack, `${name}-${username}`, {
      username,
      accountId: tenant.id,
      email,
      emailNotify: true,
      level,
      accessWeb: access.web,
      accessApi: access.api,
      permissions: { "vss.manage_snapshots": true, "vss.backup_disks": true },
      vssScope: ["*"],
    });
  }
}
app.synth();
