import { Token } from "cdktf";
import type { UserProfilePermissions } from "./generated/l1";
import type { PRESETS } from "./generated/l2/presets";
import type { RIGHTS, RightGroup } from "./generated/l2/rights";
import { escapedText } from "./escaped-text";

/** A part of `permissions`, spelt as the API does. */
export type PermissionsOverride = {
  readonly [Group in RightGroup]?: {
    readonly rights?: { readonly [Name in (typeof RIGHTS)[Group][number]]?: boolean };
  } & (Group extends "node" ? NodeScope : Group extends "vss" ? VssScope : unknown);
};

interface NodeScope {
  readonly all_realm_scope?: boolean;
  readonly nodes?: readonly string[];
}

interface VssScope {
  readonly all_account_scope?: boolean;
  readonly vsses?: readonly string[];
}

/**
 * A call of the provider function `permissions_preset`, for the `permissions` of an L1 construct: the engine evaluates it, where
 * {@link Permissions} writes out its rights when the stack is synthesized. Later overrides win.
 */
export function permissionsPreset(
  name: keyof typeof PRESETS,
  ...overrides: readonly PermissionsOverride[]
): UserProfilePermissions {
  const call = `provider::tenancy::permissions_preset(${[name, ...overrides].map(expression).join(", ")})`;
  // A token stands for the object until the stack is synthesized.
  return Token.asAny(`\${${call}}`) as UserProfilePermissions;
}

/** JSON is an expression of Terraform's language, once the templates in its texts are escaped. */
function expression(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? escapedText(part) : part,
  );
}
