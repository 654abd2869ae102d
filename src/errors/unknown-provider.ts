import { TenancyError } from "./tenancy-error";

/** The provider's configuration depends on something that only the apply would tell. */
export class UnknownProvider extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_PROVIDER";
  static readonly explanation = `
The configuration of a provider refers to something that is known only after apply. The embedded engine reads the service while planning, so
it must know where the service is and who it works as. Use variables or the environment for these, or the Terraform engine, which plans in
steps.`;

  constructor(provider: string, attributes: readonly string[]) {
    super(
      `the provider's ${attributes.join(", ")} ${attributes.length === 1 ? "is" : "are"} known only after apply`,
      {
        address: `provider.${provider}`,
        advice: "Use a variable or the environment, or run it with Terraform or OpenTofu.",
      },
    );
  }
}
