import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: rights that the configuration does not name stay granted. */
export class RightsKept extends TenancyError {
  static readonly code = "TENANCY_RIGHTS_KEPT";
  static readonly explanation = `
With \`undeclared_rights = "keep"\` only the rights that \`permissions\` names are managed; all others stay as they are. Those of them that
are granted are listed at every plan, because a reader of the configuration cannot see them there. A right that a plan shows as removed from
\`permissions\` stays granted too.`;

  /** @param harm what is at stake with the rights: "destructive and powerful" */
  constructor(
    login: string,
    rights: readonly string[],
    harm: string | undefined,
    details: ErrorDetails = {},
  ) {
    super(
      harm === undefined
        ? "rights stay granted without being declared"
        : `${JSON.stringify(login)} keeps ${harm} rights that are not declared`,
      {
        attribute: ["permissions"],
        detail: `${JSON.stringify(login)} keeps ${rights.join(", ")}.`,
        advice: 'Name them in `permissions`, or take them away with `undeclared_rights = "deny"`.',
        ...details,
      },
    );
  }
}
