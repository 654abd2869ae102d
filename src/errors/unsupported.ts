import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The stack uses something that the embedded engine does not run. */
export class Unsupported extends TenancyError {
  static readonly code = "TENANCY_UNSUPPORTED";
  static readonly explanation = `
The embedded engine runs what declaring tenants needs: this provider's resources, data sources, function and ephemeral resource, with
variables, locals, outputs, \`count\`, \`for_each\`, conditions, \`import\` and references between stacks. Provisioners, modules, other
providers, \`replace_triggered_by\` and \`create_before_destroy\` are not supported. The same stack runs with Terraform or OpenTofu through
our provider plugin. Nothing was sent to the service.`;

  /** @param what as in "a provisioner" */
  constructor(what: string, details: ErrorDetails = {}) {
    super(`the embedded engine does not run ${what}`, {
      advice: "Remove it, or run the stack with Terraform or OpenTofu.",
      ...details,
    });
  }
}
