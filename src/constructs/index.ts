/** A file of its own since it is the door to the constructs: L1, generated from the provider's schema, and L2, written by hand. */
import { noteFailures } from "./app-failure";

export * from "./generated/l1";
export type { PresetName } from "./generated/l2/presets";
export type { Right } from "./generated/l2/rights";
export {
  Permissions,
  type PermissionsAttributes,
  permissionsPreset,
  type PermissionsScope,
  type RightsOverride,
} from "./permissions";
export { Deletion, type DeletionProps } from "./deletion";
export { Release, type ReleaseProps } from "./release";
export { Secret, type SecretOptions, type SecretVariableOptions } from "./secret";
export { AccessToken, type AccessTokenProps, SessionToken, type SessionTokenProps } from "./session-token";
export { type ITenant, Tenant, TenantToken, TenantUser } from "./tenant";
export type { DependentProps, TenantImport, TenantProps, TokenProps, UserProps } from "./tenant-props";

noteFailures();
