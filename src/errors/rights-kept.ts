import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: rights that the configuration does not name stay granted. */
export class RightsKept extends TenancyError {
  static readonly code = "TENANCY_RIGHTS_KEPT";
  static readonly explanation = `
With \`undeclared_rights = "keep"\` only the rights that \`permissions\` names are managed; all others stay as they are. Those of them that
are granted are listed at every plan, because a reader of the configuration cannot see them there.`;

  constructor(rights: readonly string[], details: ErrorDetails = {}) {
    super(`granted without being declared: ${rights.join(", ")}`, {
      attribute: ["permissions"],
      advice: 'Name them in `permissions`, or take them away with `undeclared_rights = "deny"`.',
      ...details,
    });
  }
}
