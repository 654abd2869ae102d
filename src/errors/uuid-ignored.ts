import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The service created an object, and gave it another uuid than the one that was asked for. */
export class UuidIgnored extends TenancyError {
  static readonly code = "TENANCY_UUID_IGNORED";
  static readonly explanation = `
A create carries a uuid of our choice, by which the object is recognised in every later run. The service made the object under another uuid:
without one of ours it cannot be recognised, and is not touched again. Adopt it by its id with an \`import\` block, or delete it at the
service.`;

  constructor(noun: string, key: string, id: string, details: ErrorDetails = {}) {
    super(`${noun} ${JSON.stringify(key)} was created as ${id}, with another uuid than the one asked for`, {
      advice: `Adopt it with an import block (id = ${JSON.stringify(id)}), or delete it at the service.`,
      ...details,
    });
  }
}
