import { TenancyError } from "./tenancy-error";

/** A mistake of ours: something that no other error speaks of. */
export class Internal extends TenancyError {
  static readonly code = "TENANCY_INTERNAL";
  static readonly explanation = `
Something happened that Tenancy was not made for: a mistake in it, or a machine that is out of memory, disk or files. What was under way
when it happened may be done in part; the next plan shows what is. Please report it with the message and the command; it holds no
secret.`;

  /** @param message of the exception, without secrets */
  constructor(message: string) {
    super(`something unexpected happened: ${message}`, {
      advice: "Run `tenancy plan` to see how things are. Please report this.",
    });
  }
}
