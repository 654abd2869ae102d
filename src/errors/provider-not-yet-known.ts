import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The provider's own configuration depends on something that only apply will tell. */
export class ProviderNotYetKnown extends TenancyError {
  static readonly code = "TENANCY_PROVIDER_NOT_YET_KNOWN";
  static readonly explanation = `
An attribute of the provider comes from a resource that has not been created yet, so while planning nobody knows which service to ask, or as
whom. Nothing is contacted: what is in the state is taken for true, with a warning, and guards are left for later. What needs an answer
while planning is an error: an import, a data source, an ephemeral resource. Apply what the provider depends on first (\`-target\`), or give
the attribute a value that is known.`;

  /** @param names of the attributes that are unknown */
  constructor(names: readonly string[], what: string, details: ErrorDetails = {}) {
    super(`the provider's ${names.join(", ")} ${names.length === 1 ? "is" : "are"} not known yet, ${what}`, {
      advice: "Apply what the provider depends on first (-target), or give it a value that is known.",
      ...details,
    });
  }
}
