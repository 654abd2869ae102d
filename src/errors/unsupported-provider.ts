import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The stack uses another provider than ours. */
export class UnsupportedProvider extends TenancyError {
  static readonly code = "TENANCY_UNSUPPORTED_PROVIDER";
  static readonly explanation = `
The embedded engine has one provider built in, \`tenancy/tenancy\`; from others it knows \`null_resource\` and \`terraform_data\`, as values. A
stack with other providers runs with Terraform or OpenTofu. Often it is enough to move the tenants into a stack of their own: values
pass between stacks of one app.`;

  /** @param what as in `the provider "random"`, `resources of type "random_id"` */
  constructor(what: string, details: ErrorDetails = {}) {
    super(`the embedded engine does not run ${what}`, {
      advice: "Move it into another stack, or run this one with Terraform or OpenTofu.",
      ...details,
    });
  }
}
