import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: a secret differs from the one that was sent, and its version is the same. */
export class SecretDiffers extends TenancyError {
  static readonly code = "TENANCY_SECRET_DIFFERS";
  static readonly explanation = `
Write-only values are sent when their version changes. The credential store keeps a salted hash of what was sent last, and the value that is
given now differs from it, under the same version: it is not sent. Raise the version to have it sent; if nothing was to change, a variable
may have the wrong value.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`"${name}" differs from the value sent under this version, and will not be sent`, {
      advice: `Raise "${name}_version" to have it sent.`,
      ...details,
    });
  }
}
