import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: a version is given for a secret that is not. */
export class VersionWithoutValue extends TenancyError {
  static readonly code = "TENANCY_VERSION_WITHOUT_VALUE";
  static readonly explanation = `
The version of a write-only value says when to send the value again. Here the version is set and the value is not, so a changed version is
recorded and nothing is sent.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`"${name}_version" is set, but "${name}" is not: nothing will be sent`, {
      advice: `Set "${name}", or remove its version.`,
      ...details,
    });
  }
}
