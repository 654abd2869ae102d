import { TenancyError } from "./tenancy-error";

/** Two constructs declare one tenant. */
export class DuplicateTenant extends TenancyError {
  static readonly code = "TENANCY_DUPLICATE_TENANT";
  static readonly explanation = `
Account names are unique in a service, so two declarations of one name would overwrite each other at every apply. Merge them, give one
of them another name, or, where the tenants live in different services, give each its own provider.`;

  constructor(name: string, first: string, second: string) {
    super(`two tenants are called "${name}": ${first} and ${second}`, {
      advice: "Merge them, rename one, or give each the provider of its own service.",
    });
  }
}
