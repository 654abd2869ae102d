/** A stack as CDKTF synthesizes it, which both engines read from the same file. */
import { stringifyJson } from "../../../src/lib/values";
import type { Attributes, DeclaredTenant } from "./declarations";

const OWNER = "agreement";

/** The stack's JSON. */
export function stackOf(tenants: Readonly<Record<string, DeclaredTenant>>): string {
  const accounts: Record<string, Attributes> = {};
  const users: Record<string, Attributes> = {};
  const tokens: Record<string, Attributes> = {};
  for (const [name, declared] of Object.entries(tenants)) {
    accounts[name] = { ...declared.account, name };
    for (const [username, attributes] of Object.entries(declared.users)) {
      const account = "${tenancy_account." + name + ".id}";
      users[`${name}_${username}`] = { ...attributes, username, account_id: account };
    }
    // A machine user of its own, so that a token never waits for a password.
    if (Object.keys(declared.tokens).length > 0)
      users[`${name}_machine`] = {
        username: "machine",
        account_id: "${tenancy_account." + name + ".id}",
        permissions: {},
        password_wo: "${var.secret}",
        password_wo_version: 1,
      };
    for (const [token, attributes] of Object.entries(declared.tokens)) {
      tokens[`${name}_${token}`] = {
        ...attributes,
        name: token,
        login: `machine@${name}`,
        password_wo: "${var.secret}",
        depends_on: [`tenancy_user_profile.${name}_machine`],
      };
    }
  }
  return stringifyJson({
    terraform: { required_providers: { tenancy: { source: "tenancy/tenancy" } } },
    provider: { tenancy: [{ owner: OWNER }] },
    variable: { secret: { type: "string", ephemeral: true } },
    resource: {
      tenancy_account: accounts,
      ...(Object.keys(users).length > 0 && { tenancy_user_profile: users }),
      ...(Object.keys(tokens).length > 0 && { tenancy_authorization: tokens }),
    },
  });
}
