import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The service accepted a write, and shows another value than the one that was asked for. */
export class NotTaken extends TenancyError {
  static readonly code = "TENANCY_NOT_TAKEN";
  static readonly explanation = `
After a write, what was asked for is compared with what the service shows. Here it shows something else: it ignores the parameter, limits it
by another rule, or writes it in another form. After an update the state holds what the service shows, so that the next plan shows the
difference. After a create the state holds what was asked for (another value would make Terraform destroy the tenant again), and the next
refresh shows the difference. Declare the value as the service shows it, or leave the attribute out.`;

  /** @param shown what the service shows, in words fit for a message */
  constructor(noun: string, key: string, shown: string, details: ErrorDetails = {}) {
    super(`the service did not take this value for ${noun} ${JSON.stringify(key)}: it shows ${shown}`, {
      advice: "Declare the value as the service shows it, or leave the attribute out.",
      ...details,
    });
  }
}
