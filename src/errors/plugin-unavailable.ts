import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The Terraform provider cannot be installed from here. */
export class PluginUnavailable extends TenancyError {
  static readonly code = "TENANCY_PLUGIN_UNAVAILABLE";
  static readonly explanation = `
\`tenancy plugin install\` copies the provider that comes with the package to where Terraform and OpenTofu look for providers by default. On
Windows they only start programs, and the provider in the package needs a shell: use the program from the release, which needs no Node
either. In a clone of the project the provider is there once it is built.`;

  /** @param why as in "it has not been built" */
  constructor(why: string, advice: string, details: ErrorDetails = {}) {
    super(`the provider cannot be installed: ${why}`, { advice, ...details });
  }
}
