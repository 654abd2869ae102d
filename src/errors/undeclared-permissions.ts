import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** What a user has, or gets from the service. */
export interface UndeclaredRights {
  readonly rights: readonly string[];
  /** The preset that has the same rights, where there is one. */
  readonly preset: string | undefined;
  /** The user is yet to be made. */
  readonly isNew: boolean;
  /** What is at stake with the rights: "destructive and powerful". */
  readonly harm: string | undefined;
}

/** A warning: what a user may do is declared nowhere. */
export class UndeclaredPermissions extends TenancyError {
  static readonly code = "TENANCY_UNDECLARED_PERMISSIONS";
  static readonly explanation = `
A user profile, or an account with its primary user profile, has no \`permissions\`. On create the service then grants every right on virtual
storage services, users and the account; later the profile keeps what it has. Declare \`permissions\`: once declared they are exact, and a
right that is not named is denied. \`permissions = {}\` denies them all.`;

  constructor(login: string, { rights, preset, isNew, harm }: UndeclaredRights, details: ErrorDetails = {}) {
    const gets = isNew ? "gets by the service's default" : "has";
    const count = rights.length === 1 ? "1 right" : `${rights.length} rights`;
    // Terraform folds warnings of equal summaries: without harm the name is left to the detail, with harm each warning is shown.
    super(
      harm === undefined
        ? "a user has permissions that no configuration declares"
        : `${JSON.stringify(login)} ${gets} ${count} that no configuration declares, ${harm} ones among them`,
      {
        attribute: ["permissions"],
        detail:
          rights.length === 0
            ? `${JSON.stringify(login)} ${gets} no right.`
            : `${JSON.stringify(login)} ${gets} ${preset === undefined ? rights.join(", ") : `the rights of the preset \`${preset}\``}.`,
        advice: "Declare `permissions`: once declared they are exact.",
        ...details,
      },
    );
  }
}
