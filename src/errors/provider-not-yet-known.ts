import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The provider's own configuration depends on something that only apply will tell. */
export class ProviderNotYetKnown extends TenancyError {
  static readonly code = "TENANCY_PROVIDER_NOT_YET_KNOWN";
  static readonly explanation = `
An attribute of the provider comes from a resource that has not been created yet, so while planning nobody knows which service to ask, or as
whom. The embedded engine reads the service while planning, so it refuses the stack: use variables or the environment for these attributes,
or run the stack with Terraform or OpenTofu.

Under Terraform nothing is contacted: the state is assumed to be true, with a warning, and guards are left for later. What needs an answer
while planning is an error: an import, a data source, an ephemeral resource. Apply what the provider depends on first (\`-target\`), or give
the attribute a value that is known.`;

  /**
   * @param names of the attributes that are unknown
   * @param consequence as in "so nothing can be imported"
   */
  constructor(names: readonly string[], consequence: string, details: ErrorDetails = {}) {
    super(
      `the provider's ${names.join(", ")} ${names.length === 1 ? "is" : "are"} known only after apply, ${consequence}`,
      {
        advice: "Apply what the provider depends on first (-target), or give it a value that is known.",
        ...details,
      },
    );
  }
}
