import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: a secret is another one than was sent, and its version is the same. */
export class SecretDiffers extends TenancyError {
  static readonly code = "TENANCY_SECRET_DIFFERS";
  static readonly explanation = `
Write-only values are sent when their version changes. The credential store keeps a salted hash of what was sent last, and the value that is
given now is another one under the same version: it is not sent. Raise the version if it is to be; if not, a variable may have been given a
wrong value.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`"${name}" is another value than was sent under this version, and will not be sent`, {
      advice: `Raise "${name}_version" to have it sent.`,
      ...details,
    });
  }
}
