import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: `permissions` become exact, which takes rights away that no plan has shown. */
export class RightsTaken extends TenancyError {
  static readonly code = "TENANCY_RIGHTS_TAKEN";
  static readonly explanation = `
\`undeclared_rights\` changes from \`keep\` to \`deny\`, so \`permissions\` become exact: the rights that they do not name are taken away. The
state holds only the rights that were declared, so a plan cannot show the others as changes; the warning lists them.`;

  /** @param harm what is at stake with the rights: "destructive and powerful" */
  constructor(
    login: string,
    rights: readonly string[],
    harm: string | undefined,
    details: ErrorDetails = {},
  ) {
    super(
      harm === undefined
        ? "rights that are not declared are taken away"
        : `${JSON.stringify(login)} loses ${harm} rights that are not declared`,
      {
        attribute: ["permissions"],
        detail: `${JSON.stringify(login)} loses ${rights.join(", ")}.`,
        advice: "Name in `permissions` the rights that the user is to have.",
        ...details,
      },
    );
  }
}
