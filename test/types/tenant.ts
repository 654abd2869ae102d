/** What the compiler has to find by itself. Checked by `npm run typecheck`; nothing here is run. */
import type { TerraformStack } from "cdktf";
import {
  Permissions,
  Secret,
  Tenant,
  type Account,
  type AccountConfig,
  type Authorization,
  type AuthorizationConfig,
  type ITenant,
  type UserProfile,
  type UserProfileConfig,
} from "tenancy";
import type {
  DeclaredAccount,
  DeclaredAuthorization,
  DeclaredUserProfile,
} from "../../src/constructs/generated/l2/declared";

declare const stack: TerraformStack;

const acme = new Tenant(stack, "acme", {
  name: "acme",
  billingContact: null,
  limits: { vssNum: 20, sizeReserveTotal: null },
  users: {
    jane: { email: null, password: Secret.variable("jane_password"), appDefault: "storage" },
    csi: { permissions: Permissions.none().allow("vss.manage_snapshots") },
  },
  tokens: { "csi-prod": { user: "csi" }, cinder: {} },
});

declare const isProduction: boolean;
const shop = new Tenant(stack, "shop", {
  name: "shop",
  users: {
    jane: {},
    ...(isProduction && { ops: { email: "ops@shop.example" } }),
    ...(isProduction ? {} : { dev: {} }),
  },
  tokens: { "jane-laptop": { user: "jane" }, ...(isProduction ? { nightly: { user: "ops" } } : {}) },
});
shop.user("ops");
shop.token("nightly");
// @ts-expect-error a user that is not declared, beside some that are declared at times
shop.user("op");

acme.user("jane").userProfile satisfies UserProfile;
acme.token("csi-prod").authorization satisfies Authorization;
acme.account satisfies Account;
acme satisfies ITenant;
acme satisfies Tenant;

// @ts-expect-error a user that is not declared
acme.user("jan");
// @ts-expect-error a token that is not declared
acme.token("csi");
// @ts-expect-error a tenant without users has none
new Tenant(stack, "a", { name: "a" }).user("jane");
// @ts-expect-error a misspelt user's token
new Tenant(stack, "b", { name: "b", users: { csi: {} }, tokens: { "csi-prod": { user: "cis" } } });
// @ts-expect-error a token of a user where there are none
new Tenant(stack, "c", { name: "c", tokens: { "csi-prod": { user: "csi" } } });
// @ts-expect-error a misspelt right
Permissions.none().allow("vss.manage_snapshot");
// @ts-expect-error a right without its group
Permissions.operator().deny("remove_vss");
// @ts-expect-error a preset that there is not
Permissions.preset("admin");
// @ts-expect-error permissions cannot be changed
Permissions.none().rights = ["vss.remove_vss"];
// @ts-expect-error a password in plain text
new Tenant(stack, "d", { name: "d", password: "hunter2" });
// @ts-expect-error the API takes no null for the primary contact
new Tenant(stack, "e", { name: "e", primaryContact: null });
// @ts-expect-error a value that the API does not know
new Tenant(stack, "f", { name: "f", users: { jane: { appDefault: "storrage" } } });
// @ts-expect-error a misspelt attribute
new Tenant(stack, "g", { name: "g", limits: { vss_num: 20 } });
// @ts-expect-error the key is the username
new Tenant(stack, "h", { name: "h", users: { jane: { username: "jane" } } });

/**
 * Whatever can be declared in L2 is an attribute of the L1 construct, of the same name; members of an object have the object's name before
 * theirs.
 */
type Unknown<Declared, Config> = Exclude<
  | Exclude<keyof Declared, ApiObjects>
  | {
      [Name in keyof Declared & ApiObjects]: `${Name}${Capitalize<
        Exclude<keyof NonNullable<Declared[Name]> & string, Secrets>
      >}`;
    }[keyof Declared & ApiObjects],
  keyof Config | "password"
>;
type ApiObjects = "limits" | "provisioning" | "access" | "twoFactor";
/** Written in L1 with the ending `Wo`. */
type Secrets = "otp" | "secret" | "privateId";
type None<T extends never> = T;
export type NoStrangers = [
  None<Unknown<DeclaredAccount, AccountConfig>>,
  None<Unknown<DeclaredUserProfile, UserProfileConfig>>,
  None<Unknown<DeclaredAuthorization, AuthorizationConfig>>,
];
