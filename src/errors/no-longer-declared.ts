import { formatPath, type Path } from "../values";
import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning under Terraform: an attribute that was declared is declared no more, so its value stays. */
export class NoLongerDeclared extends TenancyError {
  static readonly code = "TENANCY_NO_LONGER_DECLARED";
  static readonly explanation = `
The last apply of the object declared an attribute, and the configuration does not declare it any more. An attribute that is not declared is
not managed: its value stays at the service. To take a value away, name the attribute in \`unset\`, or declare \`[]\` for a list. The warning
ends with the next apply that changes the object.`;

  /**
   * @param who the object, as people call it
   * @param value as text; undefined for what must not be shown
   * @param takenAwayBy what would take the value away, as a sentence
   */
  constructor(
    who: string,
    path: Path,
    value: string | undefined,
    takenAwayBy: string,
    details: ErrorDetails = {},
  ) {
    super(`"${formatPath(path)}" is no longer declared, so its value stays`, {
      attribute: path,
      detail: `Of ${JSON.stringify(who)} it stays ${value ?? "what it is"}.`,
      advice: takenAwayBy,
      ...details,
    });
  }
}
