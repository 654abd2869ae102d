import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The Terraform provider cannot be installed from here. */
export class PluginUnavailable extends TenancyError {
  static readonly code = "TENANCY_PLUGIN_UNAVAILABLE";
  static readonly explanation = `
\`tenancy plugin install\` puts the provider that comes with the package where Terraform and OpenTofu look for providers by default. In a clone
of the project the provider is there once it is built. On Windows, where they only start programs, one is made of the provider and of the
Node that runs the command; where that fails, the release has such a program.`;

  /** @param why as in "it has not been built" */
  constructor(why: string, advice: string, details: ErrorDetails = {}) {
    super(`the provider cannot be installed: ${why}`, { advice, ...details });
  }
}
