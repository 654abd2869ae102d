import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A declared object exists already, and nothing proves that it is ours. */
export class Foreign extends TenancyError {
  static readonly code = "TENANCY_FOREIGN";
  static readonly explanation = `
An object with the declared name exists, and its uuid is not one that we would have chosen: it was made by hand, by another tool or by
another owner. It is neither changed nor deleted. There are two ways out: take it in with an \`import\` block (in TypeScript
\`importFrom("<name, id or serial>")\`), which leaves it as it is and shows what the configuration would change; or declare another name. If
it was made by us under a former owner's name, name that owner in \`previous_owners\`.`;

  /** @param noun "account" or "user profile" */
  constructor(noun: string, key: string, id: string, details: ErrorDetails = {}) {
    super(`${noun} ${JSON.stringify(key)} exists, and isn't ours`, {
      detail: `Nothing shows that this configuration made it (id ${id}).`,
      advice: `Either adopt it with an import block (id = ${JSON.stringify(key)}), or choose another name.`,
      ...details,
    });
  }
}
