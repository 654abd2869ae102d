import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The provider's configuration lacks something that every request needs. */
export class IncompleteProvider extends TenancyError {
  static readonly code = "TENANCY_INCOMPLETE_PROVIDER";
  static readonly explanation = `
The provider needs to know where the service is (\`base_url\` or \`TENANCY_BASE_URL\`), who to log in as (\`username\` and \`password\`, or
\`token\`; \`TENANCY_USERNAME\` and \`TENANCY_PASSWORD\`, or \`TENANCY_TOKEN\`) and, in the embedded engine, under which name records
are ours (\`owner\` or \`TENANCY_OWNER\`). Configuration beats environment. Nothing was sent.`;

  /** @param lacks what it lacks, as in "no owner" */
  constructor(lacks: string, advice: string, details: ErrorDetails = {}) {
    super(`the provider has ${lacks}`, { advice, ...details });
  }
}
