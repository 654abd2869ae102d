import { formatPath, type Path } from "../values";
import { TenancyError } from "./tenancy-error";

/** The name of an owner cannot be one. */
export class InvalidOwner extends TenancyError {
  static readonly code = "TENANCY_INVALID_OWNER";
  static readonly explanation = `
An owner is the name under which records are ours: the uuid of each record that we create is derived from it. So it has to be a name
that is written the same way everywhere: 1 to 255 characters, no control characters, no white space at either end. Two owners
that differ by one invisible character would not know each other's records.`;

  /** @param fault what is wrong with the name, as in "is empty" */
  constructor(fault: string, attribute: Path) {
    super(`${formatPath(attribute)} ${fault}`, {
      attribute,
      advice: "Choose a short name for this configuration and keep it, such as `acme-platform`.",
    });
  }
}
