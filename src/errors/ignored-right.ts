import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** `ignore_changes` names a right of permissions that are not declared. */
export class IgnoredRight extends TenancyError {
  static readonly code = "TENANCY_IGNORED_RIGHT";
  static readonly explanation = `
\`lifecycle { ignore_changes }\` names a key of \`permissions\`, and the object declares no \`permissions\`. Terraform would then plan as if
\`permissions\` were declared with that key alone; declared permissions are exact, so every other right of the user would be denied.`;

  constructor(right: string, details: ErrorDetails = {}) {
    super(`the right "${right}" is ignored although \`permissions\` are not declared`, {
      advice: "Declare `permissions`, or remove the key from `ignore_changes`.",
      ...details,
    });
  }
}
