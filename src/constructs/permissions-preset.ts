import { Token, type IResolvable } from "cdktf";
import type { PRESETS } from "./generated/l2/presets";
import type { Right } from "./generated/l2/rights";
import { escapedText } from "./escaped-text";

/** Rights by name, spelt as the API does: true grants, false denies. */
export type RightsOverride = { readonly [Name in Right]?: boolean };

/**
 * A call of the provider function `permissions_preset`, for the `permissions` of an L1 construct: the engine evaluates it, where
 * {@link Permissions} writes out its rights when the stack is synthesized. Later overrides win.
 */
export function permissionsPreset(
  name: keyof typeof PRESETS,
  ...overrides: readonly RightsOverride[]
): { [right: string]: boolean | IResolvable } {
  const call = `provider::tenancy::permissions_preset(${[name, ...overrides].map(expression).join(", ")})`;
  // A token stands for the map until the stack is synthesized.
  return Token.asAny(`\${${call}}`) as unknown as { [right: string]: boolean | IResolvable };
}

/** JSON is an expression of Terraform's language, once the templates in its texts are escaped. */
function expression(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? escapedText(part) : part,
  );
}
