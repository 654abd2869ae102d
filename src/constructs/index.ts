/** L1, generated from the provider's schema, and L2, by hand. */
import { tellFailures } from "./told-failure";

export * from "./generated/l1";
export type { Right } from "./generated/l2/rights";
export { Permissions, type PermissionsAttributes, type PermissionsScope } from "./permissions";
export { permissionsPreset, type RightsOverride } from "./permissions-preset";
export { Removed, type RemovedProps } from "./removed";
export { Secret, type SecretOptions, type SecretVariableOptions } from "./secret";
export { SessionToken, type SessionTokenProps } from "./session-token";
export { Tenant } from "./tenant";
export type { ITenant } from "./tenant-base";
export type { DependentProps, TenantProps, TokenProps, UserProps } from "./tenant-props";
export { TenantToken } from "./tenant-token";
export { TenantUser } from "./tenant-user";

tellFailures();
