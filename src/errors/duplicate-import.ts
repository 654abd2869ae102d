import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** Two \`import\` blocks name the same instance. */
export class DuplicateImport extends TenancyError {
  static readonly code = "TENANCY_DUPLICATE_IMPORT";
  static readonly explanation = `
An \`import\` block says which live object an instance takes in. Two blocks with the same target would mean two objects.`;

  constructor(address: string, details: ErrorDetails = {}) {
    super(`two import blocks have the target ${address}`, {
      address,
      advice: "Remove one of them.",
      ...details,
    });
  }
}
